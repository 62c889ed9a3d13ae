package io.polytable.hbase.rpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/** Wraps checked exceptions, to pass them through code that does not declare them. */
public final class CallFailure {
    private CallFailure() {}

    /** Code that may throw an exception of HBase. */
    @FunctionalInterface
    public interface Source<T> {
        T get() throws IOException;
    }

    /** Code without a result that may throw an exception of HBase. */
    @FunctionalInterface
    public interface Action {
        void run() throws IOException;
    }

    public static <T> T of(Source<T> source) {
        try {
            return source.get();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (StackOverflowError tooDeep) {
            throw new UncheckedIOException(tooDeep());
        }
    }

    public static void run(Action action) {
        of(() -> {
            action.run();
            return true;
        });
    }

    /** For example a regular expression on a long value: only the action that used it fails, not the whole call. */
    private static DoNotRetryIOException tooDeep() {
        return new DoNotRetryIOException("What was asked takes more stack than a thread has");
    }
}
