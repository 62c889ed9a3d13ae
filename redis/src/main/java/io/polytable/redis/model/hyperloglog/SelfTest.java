package io.polytable.redis.model.hyperloglog;

import io.polytable.table.Bytes;
import java.util.Optional;
import java.util.Random;

/** PFSELFTEST: registers keep their values, and estimates are within the theoretical error. */
public final class SelfTest {
    private static final int ROUNDS = 100;
    private static final int ELEMENTS = 100_000;
    private static final int SPARSE_BYTES_MAX = 3000;

    private SelfTest() {}

    /** The first failure, if any. */
    public static Optional<String> run() {
        Random random = new Random(42);
        return registersHold(random).or(SelfTest::estimatesAreNear);
    }

    private static Optional<String> registersHold(Random random) {
        byte[] dense = new byte[Sketch.DENSE_BYTES];
        int[] expected = new int[Sketch.REGISTERS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < Sketch.REGISTERS; i++) {
                int rank = random.nextInt(1 << DenseRegisters.BITS);
                expected[i] = Math.max(expected[i], rank);
                boolean unused = DenseRegisters.raise(dense, i, rank);
            }
            for (int i = 0; i < Sketch.REGISTERS; i++) {
                if (DenseRegisters.get(dense, i) != expected[i]) {
                    return Optional.of("Register " + i + " should be " + expected[i]);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> estimatesAreNear() {
        Sketch sparse = Sketch.empty(SPARSE_BYTES_MAX);
        Sketch dense = Sketch.empty(SPARSE_BYTES_MAX);
        boolean unused = dense.toDense();
        // Five times the standard error: a correct sketch passes for any elements.
        double errorMax = 5 * 1.04 / Math.sqrt(Sketch.REGISTERS);
        for (int added = 1; added <= ELEMENTS; added++) {
            Bytes element = Bytes.utf8("element:" + added);
            boolean changed = sparse.add(element);
            if (changed != dense.add(element)) {
                return Optional.of("sparse and dense differ at " + element);
            }
            if (Integer.bitCount(added) == 1 || added == ELEMENTS) {
                long estimate = dense.estimate();
                if (estimate != sparse.estimate() || Math.abs(estimate - added) > Math.ceil(errorMax * added) + 1) {
                    return Optional.of("Too big error. card:" + added + " estimate:" + estimate);
                }
            }
        }
        return Optional.empty();
    }
}
