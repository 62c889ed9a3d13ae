package io.polytable.redis.command.config;

import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.ValueType;
import io.polytable.frontend.setting.ValueTypes;
import io.polytable.redis.command.config.ConfigParameter.Change;
import io.polytable.redis.command.config.ConfigParameter.Declaration;
import io.polytable.redis.command.config.ConfigParameter.Description;
import io.polytable.redis.command.help.TextFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of Redis that have no effect here, and the aliases of all parameters, from a text resource. Hints are
 * settings, which accept any value and keep it; the others describe this server and accept only the present value, or
 * none.
 */
record IdleParameters(List<Declaration<?>> hints, List<Description<?>> descriptions, Map<String, String> spellings) {
    private static final String FILE = "/io/polytable/redis/command/config/parameters.txt";
    private static final String MEANING = "A tuning hint of Redis.";

    static IdleParameters load() {
        IdleParameters all = new IdleParameters(new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
        for (String line : TextFile.lines(FILE)) {
            String[] fields = line.split(";", -1);
            if (fields.length == 1) {
                String[] names = line.split("=", -1);
                all.spellings.put(names[0].strip(), names[1].strip());
            } else {
                all.add(fields[0].strip(), fields[1].strip(), fields[2].strip(), fields[3].strip());
            }
        }
        return all;
    }

    private static final class Hints {
        private static final List<Declaration<?>> ALL = List.copyOf(load().hints);
    }

    static List<Declaration<?>> declarations() {
        return Hints.ALL;
    }

    static List<Setting<?>> settings() {
        return Hints.ALL.stream().<Setting<?>>map(Declaration::setting).toList();
    }

    private void add(String name, String change, String kind, String value) {
        List<String> words = List.of(kind.split(" ", -1));
        switch (words.get(0)) {
            case "text" -> add(name, change, ValueTypes.text(), Notation.text(), value);
            case "yesno" -> add(name, change, ValueTypes.bool(), Notation.yesNo(), value);
            case "choice" -> {
                List<String> names = words.subList(1, words.size());
                add(name, change, ValueTypes.choice(names), Notation.choice(names), value);
            }
            case "whole" -> {
                long min = Long.parseLong(words.get(1));
                long max = Long.parseLong(words.get(2));
                add(name, change, ValueTypes.whole(min, max), Notation.whole(min, max), value);
            }
            case "memory" -> {
                long min = Long.parseLong(words.get(1));
                long max = Long.parseLong(words.get(2));
                add(name, change, ValueTypes.bytes(min, max), Notation.memory(min, max), value);
            }
            default -> throw new IllegalStateException(FILE + ": " + kind);
        }
    }

    private <T> void add(String name, String change, ValueType<T> type, Notation<T> notation, String text) {
        T value = type.parse(text).orElseThrow(() -> new IllegalStateException(FILE + ": " + name));
        switch (change) {
            case "hint" ->
                hints.add(new Declaration<>(
                        name,
                        Setting.setting("redis." + name, type, text, MEANING)
                                .withoutEffect()
                                .live(),
                        notation));
            case "same" -> descriptions.add(new Description<>(name, notation, Change.SAME, value));
            case "never" -> descriptions.add(new Description<>(name, notation, Change.NEVER, value));
            default -> throw new IllegalStateException(FILE + ": " + change);
        }
    }
}
