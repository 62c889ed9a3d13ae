package io.polytable.redis.command.zset;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.order.Element;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Formats elements of sorted sets as replies, with or without scores. */
final class ElementReplies {
    private ElementReplies() {}

    /** The members, or also their scores: one flat list in RESP2, a list for each pair in RESP3. */
    static Reply of(Call call, List<Element> elements, boolean withScores) {
        if (!withScores) {
            List<Reply> members = new ArrayList<>(elements.size());
            for (Element element : elements) {
                members.add(Reply.of(element.member()));
            }
            return Reply.many(members);
        }
        return call.session().protocol() < 3 ? flat(elements) : nested(elements);
    }

    /** Members and scores alternating. */
    static Reply flat(List<Element> elements) {
        List<Reply> items = new ArrayList<>(elements.size() * 2);
        for (Element element : elements) {
            items.add(Reply.of(element.member()));
            items.add(Reply.of(element.score()));
        }
        return Reply.many(items);
    }

    /** The key and its elements as pairs. */
    static Reply of(Bytes key, List<Element> elements) {
        return Reply.many(Reply.of(key), nested(elements));
    }

    private static Reply nested(List<Element> elements) {
        List<Reply> pairs = new ArrayList<>(elements.size());
        for (Element element : elements) {
            pairs.add(Reply.many(Reply.of(element.member()), Reply.of(element.score())));
        }
        return Reply.many(pairs);
    }
}
