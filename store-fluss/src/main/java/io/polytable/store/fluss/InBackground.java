package io.polytable.store.fluss;

/** Runs something that nobody waits for, in a daemon thread. */
final class InBackground {
    private InBackground() {}

    static void run(String name, Runnable action) {
        Thread thread = new Thread(action, name);
        thread.setDaemon(true);
        thread.start();
    }
}
