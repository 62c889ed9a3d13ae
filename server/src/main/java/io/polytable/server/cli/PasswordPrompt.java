package io.polytable.server.cli;

import io.polytable.server.run.RefusedException;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a password: from a terminal that does not show it, or the first line of standard input. Never from arguments. */
final class PasswordPrompt {
    private PasswordPrompt() {}

    /** Since Java 22 there is always a console: the prompt would then read a pipe line by line. */
    @SuppressWarnings("SystemConsoleNull")
    static boolean isAtTerminal() {
        return System.console() != null;
    }

    /** Reads a password that is to be set: a terminal asks for it twice. */
    static String fresh(String user) throws IOException {
        String password = known("Password of " + user + ": ");
        if (isAtTerminal() && !password.equals(known("Again: "))) {
            throw new RefusedException("The two passwords differ");
        }
        return password;
    }

    /** Reads a password that exists. */
    @SuppressWarnings("SystemConsoleNull")
    static String known(String question) throws IOException {
        Console console = System.console();
        if (console != null) {
            char[] typed = console.readPassword("%s", question);
            return typed == null ? "" : text(typed);
        }
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line;
    }

    private static String text(char[] typed) {
        String text = new String(typed);
        Arrays.fill(typed, '\0');
        return text;
    }
}
