package io.polytable.benchmarks.hbase;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The same calls of the same client to both servers, one after the other, and their results. */
public final class HBaseBenchmark {
    private static final double WARM_UP_SHARE = 0.1;
    private static final int WARM_UP_MIN = 2_000;
    private static final int WIDE_MIN = 1_000;

    private final Target theirs;
    private final Target ours;
    private final PrintStream out;

    private HBaseBenchmark(Target theirs, Target ours, PrintStream out) {
        this.theirs = theirs;
        this.ours = ours;
        this.out = out;
    }

    /** Arguments: rows, columns of the wide row, rounds, and the two servers as {@link Target#of} reads them. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rows = Integer.parseInt(arguments[0]);
        int columns = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (Target theirs = Target.of(arguments[3]);
                Target ours = Target.of(arguments[4])) {
            HBaseBenchmark benchmark = new HBaseBenchmark(theirs, ours, out);
            benchmark.warmUp(rows);
            benchmark.measure(rows, columns, rounds);
            benchmark.printSizes();
        }
    }

    private void warmUp(int rows) throws IOException, InterruptedException {
        int few = Math.max(WARM_UP_MIN, (int) (rows * WARM_UP_SHARE));
        for (Target target : List.of(theirs, ours)) {
            target.create("warm");
            for (Load load : new Loads("warm", few, WIDE_MIN).all()) {
                load.run(target);
            }
            target.drop("warm");
        }
    }

    private void measure(int rows, int columns, int rounds) throws IOException, InterruptedException {
        List<List<Timing>> best = new ArrayList<>();
        List<Load> loads = List.of();
        for (int round = 0; round < rounds; round++) {
            String table = "round" + round;
            theirs.create(table);
            ours.create(table);
            loads = new Loads(table, rows, columns).all();
            for (int i = 0; i < loads.size(); i++) {
                if (round == 0) {
                    best.add(new ArrayList<>(List.of(Timing.NONE, Timing.NONE)));
                }
                List<Timing> pair = best.get(i);
                pair.set(0, pair.get(0).better(loads.get(i).run(theirs)));
                pair.set(1, pair.get(1).better(loads.get(i).run(ours)));
            }
        }
        print(loads, best);
    }

    private void print(List<Load> loads, List<List<Timing>> best) {
        out.printf("%-22s %10s %8s   %10s %8s   %6s%n", "", "ours/s", "p99 ms", "hbase/s", "p99 ms", "ratio");
        double logs = 0;
        for (int i = 0; i < loads.size(); i++) {
            Timing their = best.get(i).get(0);
            Timing our = best.get(i).get(1);
            double ratio = our.perSecond() / their.perSecond();
            logs += Math.log(ratio);
            out.printf(
                    Locale.ROOT,
                    "%-22s %10.0f %8.2f   %10.0f %8.2f   %6.2f%n",
                    loads.get(i).name(),
                    our.perSecond(),
                    our.slowMillis(),
                    their.perSecond(),
                    their.slowMillis(),
                    ratio);
        }
        out.printf(Locale.ROOT, "geometric mean %.2f%n", Math.exp(logs / loads.size()));
    }

    private void printSizes() throws IOException {
        theirs.flush();
        ours.flush();
        out.printf("%-22s %10s %21s%n", "", "ours", "hbase");
        out.printf(
                "%-22s %10d %21d%n",
                "memory, MiB", ours.memory().get(0), theirs.memory().get(0));
        out.printf(
                "%-22s %10d %21d%n",
                "memory at most, MiB", ours.memory().get(1), theirs.memory().get(1));
        out.printf("%-22s %10d %21d%n", "on disk, MiB", ours.diskBytes() >> 20, theirs.diskBytes() >> 20);
    }
}
