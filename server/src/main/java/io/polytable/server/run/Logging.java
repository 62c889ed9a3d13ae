package io.polytable.server.run;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.FileSize;
import io.polytable.frontend.setting.LogLevel;
import io.polytable.frontend.setting.LogLevels;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.LogFormat;
import io.polytable.server.config.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * The log configuration: warnings and errors on standard error, unless the settings {@code log.*} say otherwise. Logback
 * finds it as a service; code instead of an XML file saves a tenth of a second at every start.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    /** One line per event; line breaks inside a message are shown as {@code \n}, a stack trace follows on its own lines. */
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} [%thread] "
            + "%replace(%msg){'[\\r\\n]+', '\\\\\\\\n'}%n";

    private static volatile Supplier<Appender<ILoggingEvent>> opener = ConsoleAppender::new;
    private static volatile LogLevels levels = new LogLevels(LogLevel.WARN, Map.of());

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        opener = () -> console(context, LogFormat.TEXT);
        install(context, opener);
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        // The Fluss client logs pages of stack traces, repeatedly, while a Fluss server is unavailable; our log has one
        // line.
        context.getLogger("org.apache.fluss").setLevel(Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Applies the settings {@code log.*}. */
    public static void apply(Settings settings) {
        LoggerContext context = context();
        LogFormat format = settings.get(ServerSettings.LOG_FORMAT);
        String file = settings.get(ServerSettings.LOG_FILE);
        long bytesMax = settings.get(ServerSettings.LOG_FILE_BYTES_MAX);
        Duration ageMax = settings.get(ServerSettings.LOG_FILE_AGE_MAX);
        opener = file.isEmpty()
                ? () -> console(context, format)
                : () -> file(context, format, Path.of(file), bytesMax, ageMax);
        install(context, opener);
        setLevels(settings.get(ServerSettings.LOG_LEVEL));
    }

    /**
     * Our loggers at the configured level; libraries at INFO at most, since their debug output would drown everything.
     * Levels of single packages apply as they are.
     */
    public static void setLevels(LogLevels wanted) {
        LoggerContext context = context();
        context.getLoggerList().stream()
                .filter(logger -> logger.getName().startsWith("io.polytable."))
                .forEach(logger -> logger.setLevel(null));
        Level asked = level(wanted.common());
        context.getLogger("io.polytable").setLevel(asked);
        Level libraries = asked.isGreaterOrEqual(Level.INFO) ? asked : Level.INFO;
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(libraries);
        wanted.byPackage().forEach((name, level) -> context.getLogger(name).setLevel(level(level)));
        levels = wanted;
    }

    /** The levels in force. */
    public static LogLevels levels() {
        return levels;
    }

    /** Opens the log file again, after a program such as logrotate moved it away. */
    public static void reopen() {
        install(context(), opener);
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    private static Level level(LogLevel level) {
        return Level.toLevel(level.name());
    }

    /** The old appender closes first: two must not write the same file. */
    private static void install(LoggerContext context, Supplier<Appender<ILoggingEvent>> next) {
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.addAppender(next.get());
    }

    private static Appender<ILoggingEvent> console(LoggerContext context, LogFormat format) {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(encoder(context, format));
        console.start();
        return console;
    }

    private static Appender<ILoggingEvent> file(
            LoggerContext context, LogFormat format, Path path, long bytesMax, Duration ageMax) {
        RollingFileAppender<ILoggingEvent> file = new RollingFileAppender<>();
        file.setContext(context);
        file.setFile(path.toString());
        file.setEncoder(encoder(context, format));
        SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy = new SizeAndTimeBasedRollingPolicy<>();
        policy.setContext(context);
        policy.setParent(file);
        policy.setFileNamePattern(path + ".%d{yyyy-MM-dd}.%i.gz");
        policy.setMaxFileSize(new FileSize(bytesMax));
        policy.setMaxHistory((int) Math.max(1, ageMax.toDays()));
        policy.start();
        file.setRollingPolicy(policy);
        file.start();
        if (!file.isStarted()) {
            throw new RefusedException("log.file " + path + " cannot be opened for writing");
        }
        return file;
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context, LogFormat format) {
        return switch (format) {
            case TEXT -> {
                PatternLayoutEncoder encoder = new PatternLayoutEncoder();
                encoder.setContext(context);
                encoder.setPattern(PATTERN);
                encoder.start();
                yield encoder;
            }
            case JSON -> {
                JsonEncoder encoder = new JsonEncoder();
                encoder.setContext(context);
                encoder.setWithFormattedMessage(true);
                encoder.setWithArguments(false);
                encoder.setWithMessage(false);
                encoder.setWithContext(false);
                encoder.setWithSequenceNumber(false);
                encoder.start();
                yield encoder;
            }
        };
    }
}
