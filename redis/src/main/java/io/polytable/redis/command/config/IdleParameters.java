package io.polytable.redis.command.config;

import io.polytable.redis.command.config.ConfigParameter.Change;
import io.polytable.redis.command.config.ConfigParameter.Kind;
import io.polytable.redis.command.help.TextFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of Redis that have no effect here, and the aliases of all parameters, from a text resource. Tools read
 * and set them; each accepts any value, only its present one, or none.
 */
record IdleParameters(List<ConfigParameter> parameters, Map<String, String> spellings) {
    private static final String FILE = "/io/polytable/redis/command/config/parameters.txt";

    static IdleParameters load() {
        List<ConfigParameter> parameters = new ArrayList<>();
        Map<String, String> spellings = new LinkedHashMap<>();
        for (String line : TextFile.lines(FILE)) {
            String[] fields = line.split(";", -1);
            if (fields.length == 1) {
                String[] names = line.split("=", -1);
                spellings.put(names[0].strip(), names[1].strip());
            } else {
                parameters.add(new ConfigParameter(
                        fields[0].strip(), kind(fields[2].strip()), change(fields[1].strip()), fields[3].strip()));
            }
        }
        return new IdleParameters(parameters, spellings);
    }

    private static Change change(String word) {
        return switch (word) {
            case "hint" -> Change.FREE;
            case "same" -> Change.SAME;
            case "never" -> Change.NEVER;
            default -> throw new IllegalStateException(FILE + ": " + word);
        };
    }

    private static Kind kind(String text) {
        List<String> words = List.of(text.split(" ", -1));
        return switch (words.get(0)) {
            case "text" -> new Kind.Text();
            case "yesno" -> new Kind.YesNo();
            case "choice" -> new Kind.Choice(words.subList(1, words.size()));
            case "whole" -> new Kind.Whole(Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
            case "memory" -> new Kind.Memory(Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
            default -> throw new IllegalStateException(FILE + ": " + text);
        };
    }
}
