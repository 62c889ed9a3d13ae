package io.polytable.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/** The output of our own loads: the columns of redis-benchmark's CSV, so that one script reads both. */
final class LoadReport {
    private final long[] sortedNanos;

    private LoadReport(long[] latencyNanos) {
        sortedNanos = latencyNanos.clone();
        Arrays.sort(sortedNanos);
    }

    static void print(String test, long[] latencyNanos, double seconds) {
        LoadReport report = new LoadReport(latencyNanos);
        System.out.println("\"test\",\"rps\",\"avg\",\"min\",\"p50\",\"p95\",\"p99\",\"max\"");
        System.out.printf(
                Locale.ROOT,
                "\"%s\",\"%.2f\",\"0\",\"0\",\"%.3f\",\"%.3f\",\"%.3f\",\"0\"%n",
                test,
                latencyNanos.length / seconds,
                report.millis(50),
                report.millis(95),
                report.millis(99));
    }

    private double millis(int percent) {
        return sortedNanos[(int) ((sortedNanos.length - 1L) * percent / 100)] / 1e6;
    }
}
