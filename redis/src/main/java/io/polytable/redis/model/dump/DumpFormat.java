package io.polytable.redis.model.dump;

import io.polytable.redis.model.packing.PackingLimits;

/**
 * The format of dumped values.
 *
 * @param compresses whether long strings are compressed
 */
public record DumpFormat(Version version, PackingLimits packing, boolean compresses) {
    /** The Redis version that can read it. */
    public enum Version {
        /** Redis 7.0, which has no listpacks of sets. */
        OF_7_0(10),
        OF_7_2(11);

        private final int number;

        Version(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }
}
