package io.polytable.redis.model.effect;

import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.Dumps;
import io.polytable.redis.model.effect.CommitRows.KeyName;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Translates the rows of a commit into commands. Called before the commit, with the stripes of its keys held: the store
 * has what was there before, the unit what will be there. Thread safe.
 *
 * <ul>
 *   <li>First flushed and exchanged databases, then renamed keys, then each changed key.
 *   <li>A changed collection: what is added before what is removed, since a Redis collection that becomes empty is gone,
 *       with its deadline.
 *   <li>What small commands cannot express is sent whole, by RESTORE: a change in the middle of a list, keys that
 *       exchange their names in one transaction.
 * </ul>
 */
public final class CommitTranslator {
    private final RedisTables tables;
    private final DumpFormat format;
    private final CommitRows.Parts parts;
    private final Dumps dumps = new Dumps();

    /** @param format that the replicas can read */
    public CommitTranslator(RedisTables tables, DumpFormat format) {
        this.tables = tables;
        this.format = format;
        this.parts = new CommitRows.Parts(tables);
    }

    /** The commands for what the unit will commit. */
    public Effects translate(UnitOfWork unit) {
        return new Pass(unit).run();
    }

    /** A key of which the commit changes the header or elements. */
    private record Changed(KeyName name, Optional<Header> before, Optional<Header> after) {
        Optional<Long> idBefore() {
            return id(before);
        }

        Optional<Long> idAfter() {
            return id(after);
        }

        private static Optional<Long> id(Optional<Header> header) {
            return header.filter(CollectionHeader.class::isInstance).map(each -> ((CollectionHeader) each).id());
        }
    }

    /** The translation of one commit. */
    private final class Pass {
        private final UnitOfWork unit;
        private final CommitRows rows;
        private final Effects effects = new Effects();
        private final Map<KeyName, Changed> changed = new LinkedHashMap<>();
        private final Map<Long, Changed> byIdBefore = new HashMap<>();
        private final Set<Long> idsAfter = new HashSet<>();

        /** What a command that moves a key leaves under both names. */
        private final Map<KeyName, Optional<Header>> moved = new HashMap<>();

        Pass(UnitOfWork unit) {
            this.unit = unit;
            this.rows = new CommitRows(parts, unit);
        }

        Effects run() {
            changeLibraries(tables.libraries().all(), unit.libraries().all());
            changeDatabases(tables.databases(), unit.databases());
            rows.headers().forEach((name, after) -> changed.put(name, new Changed(name, stored(name), after)));
            rows.ids().forEach(this::addOwner);
            for (Changed key : changed.values()) {
                key.idBefore().ifPresent(id -> byIdBefore.put(id, key));
                key.idAfter().ifPresent(idsAfter::add);
            }
            changed.values().forEach(this::move);
            changed.values().forEach(this::change);
            return effects;
        }

        private void changeLibraries(Map<String, Bytes> before, Map<String, Bytes> after) {
            // First what is gone: two libraries must not have the same function.
            before.keySet().stream()
                    .filter(name -> !after.containsKey(name))
                    .forEach(name -> effects.in(0, "FUNCTION", "DELETE", name));
            after.forEach((name, code) -> {
                if (!Optional.of(code).equals(Optional.ofNullable(before.get(name)))) {
                    effects.in(0, "FUNCTION", "LOAD", "REPLACE", code);
                }
            });
        }

        /** Elements may change under a header that does not. */
        private void addOwner(long id) {
            unit.owner(id).ifPresent(owner -> {
                KeyName name = new KeyName(owner.physicalDatabase(), owner.key());
                changed.computeIfAbsent(name, none -> new Changed(name, stored(name), stored(name)));
            });
        }

        private Optional<Header> stored(KeyName name) {
            return tables.header(tables.store(), name.physical(), name.key());
        }

        /** The databases step by step, each exchanged or flushed as often as it takes. */
        private void changeDatabases(Databases before, Databases after) {
            int[] now = new int[Databases.COUNT];
            for (int i = 0; i < now.length; i++) {
                now[i] = before.physical(i);
            }
            for (int i = 0; i < now.length; i++) {
                while (now[i] != after.physical(i)) {
                    int from = indexOf(now, after.physical(i));
                    int other = from >= 0 ? from : after.database(now[i]);
                    if (other >= 0) {
                        effects.in(i, "SWAPDB", i, other);
                        int kept = now[i];
                        now[i] = now[other];
                        now[other] = kept;
                    } else {
                        effects.in(i, "FLUSHDB");
                        now[i] = after.physical(i);
                    }
                }
            }
        }

        private int database(KeyName name) {
            return unit.databases().database(name.physical());
        }

        /** Moves the key, if it comes from another name that is gone, and nobody needs what this one held. */
        private void move(Changed target) {
            Changed source = target.idAfter().map(byIdBefore::get).orElse(null);
            if (source == null
                    || source.name().equals(target.name())
                    || source.after().isPresent()) {
                return;
            }
            int from = database(source.name());
            int to = database(target.name());
            boolean isFree = target.idBefore().filter(idsAfter::contains).isEmpty();
            if (!isFree || from < 0 || to < 0) {
                return;
            }
            Bytes name = source.name().key();
            if (from == to) {
                effects.in(from, "RENAME", name, target.name().key());
            } else if (name.equals(target.name().key())) {
                if (target.before().isPresent()) {
                    effects.in(to, "DEL", name);
                }
                effects.in(from, "MOVE", name, to);
            } else {
                return;
            }
            moved.put(source.name(), Optional.empty());
            moved.put(target.name(), source.before());
        }

        private void change(Changed key) {
            int database = database(key.name());
            if (database < 0) {
                return;
            }
            boolean isMoved = moved.containsKey(key.name());
            Changed holder = key.idAfter().map(byIdBefore::get).orElse(key);
            if (!isMoved && !holder.name().equals(key.name())) {
                restore(database, key);
            } else {
                change(database, key, isMoved ? moved.getOrDefault(key.name(), Optional.empty()) : key.before());
            }
        }

        private void restore(int database, Changed key) {
            Header header = key.after().orElseThrow();
            Bytes payload = dumps.dump(unit.space(database), header, format);
            long deadline = header.hasDeadline() ? header.expireAt() : 0;
            effects.in(database, "RESTORE", key.name().key(), deadline, payload, "REPLACE", "ABSTTL");
        }

        /** @param base what the replica has under the key now */
        private void change(int database, Changed key, Optional<Header> base) {
            Bytes name = key.name().key();
            if (key.after().isEmpty()) {
                if (base.isPresent()) {
                    effects.in(database, "DEL", name);
                }
            } else if (key.after().get() instanceof StringHeader string) {
                changeString(database, name, base, string);
            } else {
                changeCollection(
                        database, key, base, (CollectionHeader) key.after().get());
            }
        }

        private void changeCollection(int database, Changed key, Optional<Header> base, CollectionHeader after) {
            Bytes name = key.name().key();
            Optional<CollectionHeader> old = base.filter(CollectionHeader.class::isInstance)
                    .map(CollectionHeader.class::cast)
                    .filter(each -> each.id() == after.id());
            if (old.isEmpty() && base.isPresent()) {
                effects.in(database, "DEL", name);
            }
            if (new TypeEffects(effects, database, name, old, after).add(rows.elements(after))) {
                long deadline = old.map(CollectionHeader::expireAt).orElse(Header.NEVER);
                changeDeadline(database, name, deadline, after);
            } else {
                restore(database, key);
            }
        }

        private void changeString(int database, Bytes key, Optional<Header> base, StringHeader string) {
            if (base.orElse(null) instanceof StringHeader old && old.value().equals(string.value())) {
                changeDeadline(database, key, old.expireAt(), string);
            } else if (string.hasDeadline()) {
                effects.in(database, "SET", key, string.value(), "PXAT", string.expireAt());
            } else {
                effects.in(database, "SET", key, string.value());
            }
        }

        private void changeDeadline(int database, Bytes key, long before, Header after) {
            if (before != after.expireAt() && after.hasDeadline()) {
                effects.in(database, "PEXPIREAT", key, after.expireAt());
            } else if (before != after.expireAt()) {
                effects.in(database, "PERSIST", key);
            }
        }
    }

    private static int indexOf(int[] numbers, int number) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == number) {
                return i;
            }
        }
        return -1;
    }
}
