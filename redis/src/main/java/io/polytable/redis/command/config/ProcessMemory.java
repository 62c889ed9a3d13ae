package io.polytable.redis.command.config;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;

/** A sample of the process's memory, in bytes. */
public record ProcessMemory(long heapUsed, long heapMax, long committed, long direct, long peak, long resident) {
    private static final Path STATUS = Path.of("/proc/self/statm");
    private static final long PAGE_BYTES = 4096;

    public static ProcessMemory now() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return new ProcessMemory(
                heap.getUsed(), heap.getMax(), heap.getCommitted(), direct, peakHeap() + direct, resident(heap));
    }

    private static long peakHeap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    private static long resident(MemoryUsage heap) {
        try {
            return Long.parseLong(Files.readString(STATUS).split(" ", -1)[1]) * PAGE_BYTES;
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException notLinux) {
            return heap.getCommitted();
        }
    }

    /** The memory in use by objects and direct buffers. */
    public long used() {
        return heapUsed + direct;
    }
}
