package io.polytable.redis.model.effect;

import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.stream.Group;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.StreamMeta;
import io.polytable.redis.model.stream.StreamRows;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The commands for a changed stream. Entries are added first and pending entries claimed next, since Redis claims only
 * what exists; then entries are removed, and at last the counters are set where they do not follow from that.
 */
final class StreamEffects {
    private static final int AT_ONCE = 1000;

    private final Consumer<List<Bytes>> out;
    private final Bytes key;
    private final boolean isNew;
    private final StreamMeta old;
    private final StreamMeta now;
    private final long length;

    StreamEffects(Consumer<List<Bytes>> out, Bytes key, Optional<CollectionHeader> before, CollectionHeader after) {
        this.out = out;
        this.key = key;
        this.isNew = before.isEmpty();
        this.old = StreamMeta.decode(before.map(CollectionHeader::fields).orElse(Bytes.EMPTY));
        this.now = StreamMeta.decode(after.fields());
        this.length = after.size();
    }

    private void command(Object... words) {
        List<Bytes> all = new ArrayList<>(words.length);
        for (Object word : words) {
            all.add(word instanceof Bytes given ? given : Bytes.utf8(word.toString()));
        }
        out.accept(all);
    }

    void add(ElementRows rows) {
        StreamId last = old.last();
        long added = old.added();
        Map<Bytes, Optional<Bytes>> entries = rows.of(ElementKind.STREAM_ENTRY);
        List<Bytes> ids =
                entries.keySet().stream().sorted(Comparator.naturalOrder()).toList();
        boolean exists = !isNew;
        for (Bytes id : ids) {
            Optional<Bytes> fields = entries.getOrDefault(id, Optional.empty());
            if (fields.isPresent()) {
                last = StreamId.at(id, 0);
                added++;
                exists = true;
                List<Bytes> words = new ArrayList<>(List.of(Bytes.utf8("XADD"), key, text(last)));
                words.addAll(StreamEntry.fields(fields.get()));
                out.accept(words);
            }
        }
        exists |= addGroups(rows);
        if (!exists) {
            // Redis makes an empty stream only with a group.
            command("XGROUP", "CREATE", key, "0", "0", "MKSTREAM");
            command("XGROUP", "DESTROY", key, "0");
        }
        StreamId deleted = remove(rows, ids);
        boolean follows = last.equals(now.last()) && added == now.added() && deleted.equals(now.maxDeleted());
        if (!follows) {
            command(
                    "XSETID",
                    key,
                    text(now.last()),
                    "ENTRIESADDED",
                    now.added(),
                    "MAXDELETEDID",
                    text(now.maxDeleted()));
        }
    }

    private static Bytes text(StreamId id) {
        return Bytes.utf8(id.toString());
    }

    /** Whether a group was created, and the stream with it. */
    private boolean addGroups(ElementRows rows) {
        boolean created = false;
        Set<Bytes> destroyed = new LinkedHashSet<>();
        for (Map.Entry<Bytes, Optional<Bytes>> row :
                rows.of(ElementKind.STREAM_GROUP).entrySet()) {
            Optional<Group> before =
                    rows.before(ElementKind.STREAM_GROUP, row.getKey()).map(value -> Group.decode(row.getKey(), value));
            if (row.getValue().isEmpty()) {
                destroyed.add(row.getKey());
                before.ifPresent(group -> command("XGROUP", "DESTROY", key, group.name()));
            } else {
                created |= putGroup(
                        before, Group.decode(row.getKey(), row.getValue().get()));
            }
        }
        addConsumers(rows, destroyed);
        addPending(rows, destroyed);
        return created;
    }

    private boolean putGroup(Optional<Group> before, Group group) {
        if (before.isEmpty()) {
            command("XGROUP", "CREATE", key, group.name(), text(group.last()), "MKSTREAM", "ENTRIESREAD", group.read());
            return true;
        }
        if (!before.get().last().equals(group.last()) || before.get().read() != group.read()) {
            command("XGROUP", "SETID", key, group.name(), text(group.last()), "ENTRIESREAD", group.read());
        }
        return false;
    }

    private void addConsumers(ElementRows rows, Set<Bytes> destroyed) {
        rows.of(ElementKind.STREAM_CONSUMER).forEach((sub, value) -> {
            Bytes group = StreamRows.group(sub);
            Bytes name = StreamRows.behindGroup(sub);
            boolean existed = rows.before(ElementKind.STREAM_CONSUMER, sub).isPresent();
            if (destroyed.contains(group)) {
                return;
            }
            if (value.isPresent() && !existed) {
                command("XGROUP", "CREATECONSUMER", key, group, name);
            } else if (value.isEmpty() && existed) {
                command("XGROUP", "DELCONSUMER", key, group, name);
            }
        });
    }

    private void addPending(ElementRows rows, Set<Bytes> destroyed) {
        List<Bytes> gone = new ArrayList<>(rows.deletedByRanges(ElementKind.STREAM_PENDING));
        rows.of(ElementKind.STREAM_PENDING).forEach((sub, value) -> {
            Bytes group = StreamRows.group(sub);
            if (destroyed.contains(group)) {
                return;
            }
            if (value.isEmpty()) {
                gone.add(sub);
                return;
            }
            Pending pending = Pending.decode(StreamRows.id(sub), value.get());
            command(
                    "XCLAIM",
                    key,
                    group,
                    pending.consumer(),
                    0,
                    text(pending.id()),
                    "TIME",
                    pending.deliveredMillis(),
                    "RETRYCOUNT",
                    pending.deliveries(),
                    "FORCE",
                    "JUSTID");
        });
        for (Bytes sub : gone) {
            Bytes group = StreamRows.group(sub);
            if (!destroyed.contains(group)) {
                command("XACK", key, group, text(StreamRows.id(sub)));
            }
        }
    }

    /** Removes entries; answers the highest id that a replica takes for deleted afterwards. */
    private StreamId remove(ElementRows rows, List<Bytes> ids) {
        StreamId deleted = old.maxDeleted();
        boolean trims = rows.hasRanges(ElementKind.STREAM_ENTRY);
        List<Bytes> words = new ArrayList<>();
        for (Bytes sub : ids) {
            if (rows.of(ElementKind.STREAM_ENTRY)
                    .getOrDefault(sub, Optional.empty())
                    .isPresent()) {
                continue;
            }
            StreamId id = StreamId.at(sub, 0);
            if (!now.maxDeleted().equals(old.maxDeleted()) && !id.isAfter(now.maxDeleted())) {
                words.add(text(id));
                deleted = StreamId.max(deleted, id);
            } else {
                trims = true;
            }
        }
        for (int from = 0; from < words.size(); from += AT_ONCE) {
            List<Bytes> all = new ArrayList<>(List.of(Bytes.utf8("XDEL"), key));
            all.addAll(words.subList(from, Math.min(words.size(), from + AT_ONCE)));
            out.accept(all);
        }
        if (trims && length == 0) {
            command("XTRIM", key, "MAXLEN", 0);
        } else if (trims) {
            command("XTRIM", key, "MINID", text(now.first()));
        }
        return deleted;
    }
}
