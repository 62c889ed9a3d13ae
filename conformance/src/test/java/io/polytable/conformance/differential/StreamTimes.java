package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Resp;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Removes the times from replies of XINFO and XPENDING, since the two servers run at different milliseconds. */
final class StreamTimes {
    /** Fields that are times. */
    private static final Set<String> TIMES = Set.of("idle", "seen-time");

    /** Fields that 7.2 added, times too. */
    private static final Set<String> NEW_TIMES = Set.of("inactive", "active-time");

    private static final long MOMENT_MIN = 1_000_000_000_000L;
    private static final int PENDING_ENTRY_ITEMS = 4;
    private static final int IDLE_AT = 2;

    private StreamTimes() {}

    static List<String> without(List<String> words, Resp reply) {
        boolean pending = words.get(0).toUpperCase(Locale.ROOT).equals("XPENDING") && words.size() > 3;
        List<String> out = new ArrayList<>();
        if (pending) {
            reply.items().forEach(entry -> addPending(entry, out));
        } else {
            add(reply, out);
        }
        return out;
    }

    private static void addPending(Resp entry, List<String> out) {
        for (int i = 0; i < entry.items().size(); i++) {
            boolean isIdle = entry.items().size() == PENDING_ENTRY_ITEMS && i == IDLE_AT;
            out.add(isIdle ? "time" : entry.items().get(i).encoded());
        }
    }

    private static void add(Resp reply, List<String> out) {
        if (!(reply instanceof Resp.Many many)) {
            boolean isMoment = reply.kind() == ':' && reply.number() >= MOMENT_MIN;
            out.add(isMoment ? "time" : reply.encoded());
            return;
        }
        out.add(many.kind() + "(");
        List<Resp> items = many.items();
        for (int i = 0; i < items.size(); i++) {
            String name = items.get(i) instanceof Resp.Blob blob ? blob.text() : "";
            if (NEW_TIMES.contains(name)) {
                i++;
            } else if (TIMES.contains(name)) {
                out.add(name);
                i++;
            } else {
                add(items.get(i), out);
            }
        }
        out.add(")");
    }
}
