package io.polytable.hbase.rpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

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

    /** Such as a regular expression on a long value: a failure of what asked for it, and of nothing else in the call. */
    private static DoNotRetryIOException tooDeep() {
        return new DoNotRetryIOException("What was asked takes more stack than a thread has");
    }
}
