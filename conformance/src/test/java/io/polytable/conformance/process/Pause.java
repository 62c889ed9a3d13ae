package io.polytable.conformance.process;

/** A short sleep while polling something outside this process. */
public final class Pause {
    private Pause() {}

    public static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
