package io.polytable.redis.command.stream;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Formats entries and ids as replies. */
final class StreamReplies {
    private StreamReplies() {}

    static Reply id(StreamId id) {
        return Reply.of(id.text());
    }

    static Reply ids(List<StreamId> ids) {
        return Reply.many(ids.stream().map(StreamReplies::id).toList());
    }

    static Reply entry(StreamEntry entry) {
        return Reply.many(id(entry.id()), entry.isGone() ? Reply.ABSENT_ARRAY : Reply.bulks(entry.fields()));
    }

    static Reply entries(List<StreamEntry> entries) {
        List<Reply> items = new ArrayList<>(entries.size());
        for (StreamEntry entry : entries) {
            items.add(entry(entry));
        }
        return Reply.many(items);
    }

    /** Entries, or only their ids. */
    static Reply entries(List<StreamEntry> entries, boolean idsOnly) {
        return idsOnly ? ids(entries.stream().map(StreamEntry::id).toList()) : entries(entries);
    }

    /** Streams with their entries: a map in RESP3, a list of pairs in RESP2. */
    static Reply byStream(Call call, List<Map.Entry<Bytes, List<StreamEntry>>> streams) {
        boolean isMap = call.session().protocol() >= 3;
        List<Reply> items = new ArrayList<>();
        for (Map.Entry<Bytes, List<StreamEntry>> stream : streams) {
            Reply key = Reply.of(stream.getKey());
            Reply entries = entries(stream.getValue());
            if (isMap) {
                items.add(key);
                items.add(entries);
            } else {
                items.add(Reply.many(key, entries));
            }
        }
        return isMap ? Reply.mapOf(items) : Reply.many(items);
    }
}
