package io.polytable.hbase.rpc;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Carries an exception for the client through code that knows no checked ones. */
public final class CallFailure {
    private CallFailure() {}

    /** What may fail in HBase's classes. */
    @FunctionalInterface
    public interface Source<T> {
        T get() throws IOException;
    }

    /** What may fail in HBase's classes and answers nothing. */
    @FunctionalInterface
    public interface Action {
        void run() throws IOException;
    }

    public static <T> T of(Source<T> source) {
        try {
            return source.get();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static void run(Action action) {
        try {
            action.run();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
