package io.polytable.entity.tool;

import io.polytable.entity.ddl.DdlSession;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code polytable entity ddl}: the table definition language from a file, from an option, or line by line. */
@Command(name = "ddl", description = "Runs table definition statements; HELP; lists them.")
final class DdlCommand extends UriCommand {
    @Option(names = "-f", paramLabel = "FILE", description = "statements; stops at the first that is refused")
    private Optional<Path> file = Optional.empty();

    @Option(names = "-e", paramLabel = "STATEMENTS", description = "statements")
    private Optional<String> statements = Optional.empty();

    @Override
    void run(EntityUri uri) throws IOException {
        try (DdlSession session = new DdlSession(uri, out())) {
            if (file.isPresent()) {
                session.run(Files.readString(file.get()));
            } else if (statements.isPresent()) {
                session.run(statements.get());
            } else {
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                shell(session, in, out(), isTyped());
            }
        }
    }

    /** Since Java 22 there is always a console: the prompt would then read a pipe line by line. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTyped() {
        return System.console() != null;
    }

    /** Reads statements until the end or QUIT. After an error it continues with the next one. */
    static void shell(DdlSession session, BufferedReader in, PrintWriter out, boolean prompts) throws IOException {
        StringBuilder open = new StringBuilder();
        boolean goesOn = true;
        while (goesOn) {
            if (prompts) {
                out.print(open.isEmpty() ? "entity> " : "     -> ");
                out.flush();
            }
            String line = in.readLine();
            if (line != null) {
                open.append(line).append('\n');
            }
            boolean isWhole = line == null || !DdlSession.isOpen(open.toString());
            if (isWhole) {
                goesOn = runAndReport(session, open.toString(), out) && line != null;
                open.setLength(0);
            }
        }
    }

    private static boolean runAndReport(DdlSession session, String text, PrintWriter out) {
        try {
            return session.run(text);
        } catch (EntityException e) {
            out.println("refused: " + e.getMessage());
            return true;
        } finally {
            out.flush();
        }
    }
}
