package io.polytable.redis.command.config;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The processor time that the process has used. */
public record ProcessTime(long userNanos, long systemNanos) {
    private static final Path STATISTICS = Path.of("/proc/self/stat");

    /** The unit of the file, whatever the machine. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Where the two times are behind the process' name, which ends with the last bracket. */
    private static final int USER_FIELD = 12;

    /** Java knows the sum alone, which counts as user time where the operating system does not tell. */
    public static ProcessTime now() {
        try {
            String line = Files.readString(STATISTICS);
            String[] fields = line.substring(line.lastIndexOf(')') + 1).split(" ", -1);
            return new ProcessTime(
                    Long.parseLong(fields[USER_FIELD]) * TICK_NANOS,
                    Long.parseLong(fields[USER_FIELD + 1]) * TICK_NANOS);
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException notLinux) {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            return new ProcessTime(system.getProcessCpuTime(), 0);
        }
    }
}
