package io.polytable.conformance.documentation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a page that starts with {@code $ }: commands, each followed by what it prints. A command continues
 * on the next line while a quote is open. In the output {@code ...} stands for any text, and alone on a line for any
 * number of lines.
 */
record CommandBlock(List<Step> steps) {
    private static final Pattern FENCED = Pattern.compile("^```\n(\\$ .*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern NOT_RUN = Pattern.compile("<!-- not run: [^\n]* -->\n$");
    private static final String PROMPT = "$ ";

    /** A command and its documented output. */
    record Step(String command, List<String> output) {
        /** Whether the output is what the page shows. */
        boolean matches(String printed) {
            StringBuilder pattern = new StringBuilder();
            for (String line : output) {
                pattern.append(line.equals("...") ? "(?s:.*)" : wildcards(line) + "\n");
            }
            return Pattern.matches(pattern.toString(), printed.isEmpty() ? "" : printed.stripTrailing() + "\n");
        }

        private static String wildcards(String line) {
            List<String> literal = new ArrayList<>();
            for (String part : line.split(Pattern.quote("..."), -1)) {
                literal.add(Pattern.quote(part));
            }
            return String.join(".*", literal);
        }
    }

    CommandBlock {
        steps = List.copyOf(steps);
    }

    static List<CommandBlock> of(String page) {
        List<CommandBlock> blocks = new ArrayList<>();
        Matcher fenced = FENCED.matcher(page);
        while (fenced.find()) {
            if (!NOT_RUN.matcher(page.substring(0, fenced.start())).find()) {
                blocks.add(new CommandBlock(steps(fenced.group(1).lines().toList())));
            }
        }
        return blocks;
    }

    private static List<Step> steps(List<String> lines) {
        List<Step> steps = new ArrayList<>();
        int next = 0;
        while (next < lines.size()) {
            StringBuilder command = new StringBuilder(lines.get(next++).substring(PROMPT.length()));
            while (isOpen(command)) {
                command.append('\n').append(lines.get(next++));
            }
            List<String> output = new ArrayList<>();
            while (next < lines.size() && !lines.get(next).startsWith(PROMPT)) {
                output.add(lines.get(next++));
            }
            steps.add(new Step(command.toString(), List.copyOf(output)));
        }
        return steps;
    }

    private static boolean isOpen(CharSequence command) {
        char quote = 0;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (c == '\\') {
                i++;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
        }
        return quote != 0;
    }
}
