package io.polytable.conformance.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The methods of a Java file and their lengths, found by counting braces. Not a parser: a block belongs to a method if
 * the text before its brace ends like a parameter list and is no control statement, no type and no anonymous class.
 */
public final class JavaOutline {
    private static final Pattern STRINGS_AND_COMMENTS = Pattern.compile(
            "\"\"\".*?\"\"\"|\"(\\\\.|[^\"\\\\\n])*\"|'(\\\\.|[^'\\\\\n])+'|/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern NOT_A_METHOD = Pattern.compile(
            "(?s)(.*[\\s(=]|)(if|for|while|switch|catch|synchronized|try|do|else|new|record|class|interface|enum)\\b.*");
    private static final Pattern PARAMETERS_END = Pattern.compile("(?s).*\\)\\s*(throws [\\w.,\\s]+)?");

    private JavaOutline() {}

    /** A method (or constructor) and its lines, from the opening to the closing brace. */
    public record Method(String header, int firstLine, int lines) {}

    public static List<Method> methods(SourceFile file) {
        // Braces in strings and comments do not count, but their line breaks do.
        String code = STRINGS_AND_COMMENTS
                .matcher(file.text())
                .replaceAll(found -> "\n".repeat((int)
                        found.group().chars().filter(c -> c == '\n').count()));
        List<Method> methods = new ArrayList<>();
        Deque<Block> open = new ArrayDeque<>();
        int line = 1;
        int headerStart = 0;
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            if (c == '\n') {
                line++;
            } else if (c == '{') {
                open.push(new Block(code.substring(headerStart, i).strip(), line));
            } else if (c == '}' && !open.isEmpty()) {
                Block block = open.pop();
                if (block.isMethod()) {
                    methods.add(new Method(lastLine(block.header), block.firstLine, line - block.firstLine + 1));
                }
            }
            if (c == '{' || c == '}' || c == ';') {
                headerStart = i + 1;
            }
        }
        return methods;
    }

    private static String lastLine(String header) {
        return header.substring(header.lastIndexOf('\n') + 1).strip();
    }

    private record Block(String header, int firstLine) {
        private long count(char parenthesis) {
            return header.chars().filter(c -> c == parenthesis).count();
        }

        boolean isMethod() {
            // The semicolons of a for statement split its header.
            boolean whole = count('(') == count(')');
            return whole
                    && PARAMETERS_END.matcher(header).matches()
                    && !NOT_A_METHOD.matcher(header).matches();
        }
    }
}
