package io.polytable.benchmarks;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Measures a piece of work: rows per second and CPU time per row, of the whole process. */
record Measure(double rowsPerSecond, double cpuMicrosPerRow) {
    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);

    /** A piece of work. */
    interface Work {
        void run() throws Exception;
    }

    static Measure of(long rows, Work work) throws Exception {
        long cpu = PROCESS.getProcessCpuTime();
        long start = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Measure(rows / seconds, (PROCESS.getProcessCpuTime() - cpu) / 1e3 / rows);
    }

    static void header(PrintStream out) {
        out.printf("%-44s %14s %14s %7s %9s %9s%n", "", "ours /s", "rocksdb /s", "ratio", "ours us", "theirs us");
    }

    static void print(PrintStream out, String what, Measure ours, Measure theirs) {
        out.printf(
                Locale.ROOT,
                "%-44s %,14.0f %,14.0f %7.2f %9.2f %9.2f%n",
                what,
                ours.rowsPerSecond,
                theirs.rowsPerSecond,
                ours.rowsPerSecond / theirs.rowsPerSecond,
                ours.cpuMicrosPerRow,
                theirs.cpuMicrosPerRow);
    }
}
