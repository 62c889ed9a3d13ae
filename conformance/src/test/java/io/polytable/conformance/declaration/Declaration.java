package io.polytable.conformance.declaration;

import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One command as {@code COMMAND INFO} describes it, as named facts; sets are written in order. */
record Declaration(String name, Map<String, String> facts, Map<String, Declaration> subcommands) {
    private static final int FIELDS = 10;

    static Declaration of(Resp entry) {
        List<Resp> fields = entry.items();
        if (fields.size() != FIELDS) {
            throw new AssertionError(FIELDS + " fields expected in " + RespText.of(entry));
        }
        Map<String, String> facts = new TreeMap<>();
        facts.put("arity", RespText.of(fields.get(1)));
        facts.put("flags", set(fields.get(2)));
        facts.put("first key", RespText.of(fields.get(3)));
        facts.put("last key", RespText.of(fields.get(4)));
        facts.put("step", RespText.of(fields.get(5)));
        facts.put("categories", set(fields.get(6)));
        facts.put("tips", set(fields.get(7)));
        facts.put(
                "key specs",
                fields.get(8).items().stream()
                        .map(Declaration::keySpec)
                        .toList()
                        .toString());
        Map<String, Declaration> subcommands = new TreeMap<>();
        for (Resp subcommand : fields.get(9).items()) {
            Declaration declaration = of(subcommand);
            subcommands.put(declaration.name, declaration);
        }
        return new Declaration(fields.get(0).text(), facts, subcommands);
    }

    private static String set(Resp set) {
        return set.texts().stream().sorted().toList().toString();
    }

    /** A map of maps, without a significant order. */
    private static String keySpec(Resp spec) {
        Map<String, String> fields = new TreeMap<>();
        for (int i = 0; i + 1 < spec.items().size(); i += 2) {
            fields.put(spec.items().get(i).text(), value(spec.items().get(i + 1)));
        }
        return fields.toString();
    }

    private static String value(Resp value) {
        if (!(value instanceof Resp.Many many)) {
            return value.text();
        }
        boolean names = many.items().stream().allMatch(item -> item.kind() == '+');
        List<String> parts =
                new ArrayList<>(many.items().stream().map(Declaration::value).toList());
        if (names) {
            parts.sort(null);
        }
        return parts.toString();
    }
}
