package io.polytable.redis.command;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A reply in one line, as the golden transcripts write them. Lists without an order of their own are sorted. */
public final class ReplyText {
    private final boolean mapsAreLists;
    private final boolean sorted;

    private ReplyText(int protocol, boolean sorted) {
        this.mapsAreLists = protocol < 3;
        this.sorted = sorted;
    }

    public static String of(Reply reply, int protocol, boolean sorted) {
        return new ReplyText(protocol, sorted).text(reply);
    }

    private String text(Reply reply) {
        if (reply instanceof Reply.Bulk bulk) {
            return "$" + quoted(bulk.value());
        }
        if (reply instanceof Reply.Int number) {
            return ":" + number.value();
        }
        if (reply instanceof Reply.Simple simple) {
            return "+" + quoted(Bytes.utf8(simple.text()));
        }
        if (reply instanceof Reply.Failure failure) {
            String text = failure.error().line();
            return "-" + quoted(Bytes.utf8(text));
        }
        if (reply instanceof Reply.Many many) {
            return list(many.items());
        }
        if (reply instanceof Reply.Bulks bulks) {
            return list(bulks.values().stream().map(Reply::of).toList());
        }
        if (reply instanceof Reply.MapOf map) {
            return mapsAreLists ? list(map.namesAndValues()) : map(map.namesAndValues());
        }
        if (reply instanceof Reply.SetOf set) {
            return mapsAreLists ? list(set.items()) : "~" + list(set.items());
        }
        if (reply instanceof Reply.Absent) {
            return "nil";
        }
        if (reply instanceof Reply.AbsentArray) {
            return mapsAreLists ? "nil-array" : "nil";
        }
        throw new IllegalArgumentException("not in a transcript: " + reply);
    }

    private String list(List<? extends Reply> items) {
        List<String> texts = new ArrayList<>(items.stream().map(this::text).toList());
        return joined("[", texts, "]");
    }

    private String map(List<? extends Reply> namesAndValues) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            texts.add(text(namesAndValues.get(i)) + " " + text(namesAndValues.get(i + 1)));
        }
        return joined("{", texts, "}");
    }

    private String joined(String open, List<String> texts, String close) {
        if (sorted) {
            Collections.sort(texts);
        }
        texts.add(0, open);
        texts.add(close);
        return String.join(" ", texts);
    }

    private static String quoted(Bytes bytes) {
        if (bytes.isEmpty()) {
            return "%";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length(); i++) {
            int b = bytes.at(i) & 0xff;
            boolean plain = b > ' ' && b < 0x7f && b != '%' && b != '[' && b != ']';
            text.append(plain ? Character.toString(b) : String.format("%%%02x", b));
        }
        return text.toString();
    }
}
