package io.polytable.store.log.file;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The options of a {@link FileLog}.
 *
 * @param segmentBytes the size of a segment file; larger only for a reservation that does not fit
 * @param sparesMax how many released files are kept for recycling; they cost disk space and save writing it twice
 * @param retainBytes how many released bytes are retained for readers
 * @param retainTime how long released records are retained for readers
 * @param retryAfter how long the disk is assumed to stay full after a failure
 * @param background whether a thread prepares and releases files ahead of need; without it callers do so when they must
 * @param startAfter where a new log starts
 */
public record FileLogOptions(
        long segmentBytes,
        int sparesMax,
        long retainBytes,
        Duration retainTime,
        Duration retryAfter,
        boolean background,
        Start startAfter,
        InstantSource clock) {

    /** The last position and ticket before a new log. */
    public record Start(long position, long ticket) {}

    private static final long SEGMENT_BYTES_MIN = 2L * Segment.HEADER_BYTES;

    public FileLogOptions {
        if (segmentBytes < SEGMENT_BYTES_MIN || segmentBytes % Segment.HEADER_BYTES != 0) {
            throw new IllegalArgumentException(
                    "segmentBytes must be a multiple of 4096, at least two: " + segmentBytes);
        }
        if (sparesMax < 0 || retainBytes < 0) {
            throw new IllegalArgumentException("sparesMax and retainBytes must not be negative");
        }
    }

    public static FileLogOptions defaults() {
        return new FileLogOptions(
                64L << 20,
                4,
                256L << 20,
                Duration.ZERO,
                Duration.ofSeconds(1),
                true,
                new Start(0, 0),
                InstantSource.system());
    }

    public FileLogOptions withSegmentBytes(long bytes) {
        return new FileLogOptions(bytes, sparesMax, retainBytes, retainTime, retryAfter, background, startAfter, clock);
    }

    public FileLogOptions withSparesMax(int count) {
        return new FileLogOptions(
                segmentBytes, count, retainBytes, retainTime, retryAfter, background, startAfter, clock);
    }

    public FileLogOptions withRetention(long bytes, Duration time) {
        return new FileLogOptions(segmentBytes, sparesMax, bytes, time, retryAfter, background, startAfter, clock);
    }

    public FileLogOptions withRetryAfter(Duration interval) {
        return new FileLogOptions(
                segmentBytes, sparesMax, retainBytes, retainTime, interval, background, startAfter, clock);
    }

    public FileLogOptions withBackground(boolean thread) {
        return new FileLogOptions(
                segmentBytes, sparesMax, retainBytes, retainTime, retryAfter, thread, startAfter, clock);
    }

    public FileLogOptions withStartAfter(long position, long ticket) {
        return new FileLogOptions(
                segmentBytes,
                sparesMax,
                retainBytes,
                retainTime,
                retryAfter,
                background,
                new Start(position, ticket),
                clock);
    }

    public FileLogOptions withClock(InstantSource source) {
        return new FileLogOptions(
                segmentBytes, sparesMax, retainBytes, retainTime, retryAfter, background, startAfter, source);
    }
}
