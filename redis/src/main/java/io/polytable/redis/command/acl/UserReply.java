package io.polytable.redis.command.acl;

import io.polytable.frontend.user.User;
import io.polytable.redis.command.Reply;
import java.util.ArrayList;
import java.util.List;

/** The reply of ACL GETUSER. */
public final class UserReply {
    private UserReply() {}

    public static Reply of(Accounts accounts, User user) {
        Rules rules = accounts.rules(user);
        List<Reply> fields = new ArrayList<>();
        fields.add(Reply.of("flags"));
        fields.add(new Reply.SetOf(
                Accounts.flags(user, rules).stream().map(Reply::of).toList()));
        fields.add(Reply.of("passwords"));
        fields.add(Reply.texts(Accounts.hashes(user)));
        addSelector(rules.root(), fields);
        fields.add(Reply.of("selectors"));
        fields.add(Reply.many(rules.selectors().stream()
                .skip(1)
                .map(selector -> {
                    List<Reply> own = new ArrayList<>();
                    addSelector(selector, own);
                    return Reply.mapOf(own);
                })
                .toList()));
        return Reply.mapOf(fields);
    }

    private static void addSelector(Selector selector, List<Reply> fields) {
        fields.add(Reply.of("commands"));
        fields.add(Reply.of(Words.bytes(selector.commandText())));
        fields.add(Reply.of("keys"));
        fields.add(Reply.of(Words.bytes(selector.keyText())));
        fields.add(Reply.of("channels"));
        fields.add(Reply.of(Words.bytes(selector.channelText())));
    }
}
