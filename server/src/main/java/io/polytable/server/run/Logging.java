package io.polytable.server.run;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.polytable.server.config.LogLevel;
import org.slf4j.LoggerFactory;

/**
 * The log configuration: warnings and errors on standard error, unless {@code log.level} says otherwise. Logback finds
 * it as a service; code instead of an XML file saves a tenth of a second at every start.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} [%thread] %msg%n";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(console);
        root.setLevel(Level.WARN);
        // The Fluss client logs pages of stack traces, repeatedly, while a Fluss server is unavailable; our log has one
        // line.
        context.getLogger("org.apache.fluss").setLevel(Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /**
     * Our loggers at the configured level; libraries at INFO at most, since their debug output would drown everything.
     */
    public static void setLevel(LogLevel level) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Level asked = Level.toLevel(level.name());
        context.getLogger("io.polytable").setLevel(asked);
        Level libraries = asked.isGreaterOrEqual(Level.INFO) ? asked : Level.INFO;
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(libraries);
    }
}
