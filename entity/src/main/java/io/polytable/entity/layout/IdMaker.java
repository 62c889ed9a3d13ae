package io.polytable.entity.layout;

import java.util.HashSet;
import java.util.Set;

/** Generates ids for new parts of a layout, which were never used before in the same scope. */
final class IdMaker {
    static final String GROUP = "group";
    static final String FAMILY = "family";

    private static final String LETTERS = "BCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private final IdNaming naming;
    private final Set<String> used = new HashSet<>();

    IdMaker(IdNaming naming, Set<String> retired) {
        this.naming = naming;
        used.addAll(retired);
    }

    /** @param place the scope within which the id must be unique, such as {@code column:info} */
    void keep(String place, String id) {
        used.add(key(place, id));
    }

    String make(String place, String name) {
        for (int number = 1; ; number++) {
            String id = switch (naming) {
                case IDENTITY -> number == 1 ? name : name + "_" + number;
                case SHORT -> letters(number - 1);
            };
            if (used.add(key(place, id))) {
                return id;
            }
        }
    }

    static String key(String place, String id) {
        return place + "/" + id;
    }

    private static String letters(int number) {
        StringBuilder text = new StringBuilder();
        int rest = number;
        do {
            text.append(LETTERS.charAt(rest % LETTERS.length()));
            rest = rest / LETTERS.length();
        } while (rest > 0);
        return text.toString();
    }
}
