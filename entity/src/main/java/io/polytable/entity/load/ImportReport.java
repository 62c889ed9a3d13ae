package io.polytable.entity.load;

import java.util.List;

/**
 * The result of an import.
 *
 * @param read records read, including skipped ones
 * @param written records written
 * @param rejected records that were not written
 * @param first the first rejected ones
 */
public record ImportReport(long read, long written, long rejected, List<Rejected> first) {
    /** A record that was not written, with its line or number, and why. */
    public record Rejected(long number, String reason, String original) {}

    public ImportReport {
        first = List.copyOf(first);
    }
}
