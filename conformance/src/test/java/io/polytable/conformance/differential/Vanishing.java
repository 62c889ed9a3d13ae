package io.polytable.conformance.differential;

import io.polytable.conformance.history.Step;
import io.polytable.conformance.process.Pause;
import io.polytable.conformance.resp.Resp;
import java.util.List;

/** Waits for a key that expires in a millisecond. */
final class Vanishing {
    private static final int TRIES = 2_000;
    private static final int SLEEP_MILLIS = 5;
    private static final int SOON_MILLIS = 5_000;

    private Vanishing() {}

    static void await(Speaker speaker, Step.Vanish vanish) {
        if (vanish.untouched()) {
            // Both servers read the clock of this machine, so five milliseconds are over for them too.
            Pause.millis(SLEEP_MILLIS);
            return;
        }
        for (int i = 0; i < TRIES; i++) {
            Resp left = speaker.call(vanish.connection(), List.of("PTTL", vanish.key()))
                    .tree();
            // Where the command was refused the key may live on, with its old expiry or with none.
            if (left.isError() || left.number() < 0 || left.number() > SOON_MILLIS) {
                return;
            }
            Pause.millis(1);
        }
        throw new AssertionError("Does not expire: " + vanish);
    }
}
