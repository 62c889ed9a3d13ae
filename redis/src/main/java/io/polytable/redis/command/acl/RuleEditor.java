package io.polytable.redis.command.acl;

import io.polytable.frontend.user.Secret;
import io.polytable.frontend.user.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/** Applies the rules of ACL SETUSER to a user and what it may do. Used once, by one thread. */
final class RuleEditor {
    private final CommandBits bits;
    private final BooleanSupplier everyChannelByDefault;
    private final List<Secret> secrets;
    private final List<SelectorEditor> selectors = new ArrayList<>();
    private final User user;
    private boolean enabled;
    private boolean open;
    private boolean sanitizes;

    RuleEditor(CommandBits bits, BooleanSupplier everyChannelByDefault, User user, Rules from) {
        this.bits = bits;
        this.everyChannelByDefault = everyChannelByDefault;
        this.user = user;
        this.secrets = new ArrayList<>(user.secrets());
        this.enabled = user.enabled();
        this.open = user.open();
        this.sanitizes = from.sanitizes();
        from.selectors().forEach(each -> selectors.add(new SelectorEditor(bits, each)));
    }

    Rules rules() {
        return new Rules(
                sanitizes, selectors.stream().map(SelectorEditor::selector).toList());
    }

    User user() {
        return user.withEnabled(enabled).withSecrets(secrets, open).withRules(rules().text());
    }

    /**
     * Joins the words of a selector, which is in parentheses.
     *
     * @throws RuleError with the first word of a selector that has no end
     */
    static List<String> joined(List<String> words) {
        List<String> rules = new ArrayList<>();
        StringBuilder selector = new StringBuilder();
        String first = "";
        for (String word : words) {
            boolean opens = word.startsWith("(") && !word.endsWith(")");
            if (selector.isEmpty() && !opens) {
                rules.add(word);
                continue;
            }
            if (opens) {
                // As in Redis, a selector that opens inside another one replaces it.
                selector.setLength(0);
                first = word;
            }
            selector.append(selector.isEmpty() ? "" : " ").append(word);
            if (word.endsWith(")")) {
                rules.add(selector.toString());
                selector.setLength(0);
            }
        }
        if (!selector.isEmpty()) {
            throw new RuleError(first, "Unmatched parenthesis in acl selector");
        }
        return rules;
    }

    /** @throws RuleError when this is no rule, or it does not apply */
    void apply(String rule) {
        switch (rule.toLowerCase(Locale.ROOT)) {
            case "" -> {}
            case "on" -> enabled = true;
            case "off" -> enabled = false;
            case "nopass" -> setOpen(true);
            case "resetpass" -> setOpen(false);
            case "sanitize-payload" -> sanitizes = true;
            case "skip-sanitize-payload" -> sanitizes = false;
            case "clearselectors" -> selectors.subList(1, selectors.size()).clear();
            case "reset" -> reset();
            default -> applyNamed(rule);
        }
    }

    private void setOpen(boolean any) {
        open = any;
        secrets.clear();
    }

    private void reset() {
        setOpen(false);
        enabled = false;
        sanitizes = true;
        selectors.clear();
        selectors.add(new SelectorEditor(bits, everyChannelByDefault.getAsBoolean()));
    }

    private void applyNamed(String rule) {
        switch (rule.charAt(0)) {
            case '>', '#' -> addSecret(secretOf(rule));
            case '<', '!' -> removeSecret(rule);
            case '(' -> {
                if (!rule.endsWith(")")) {
                    throw new RuleError(rule, RuleError.SYNTAX);
                }
                selectors.add(selectorOf(rule));
            }
            default -> selectors.get(0).apply(rule);
        }
    }

    private void addSecret(Secret secret) {
        if (!secrets.contains(secret)) {
            secrets.add(secret);
        }
        open = false;
    }

    /** A password with {@code <} also removes a secret that another protocol made of it. */
    private void removeSecret(String rule) {
        Secret secret = secretOf(rule);
        byte[] password = Words.bytes(rule.substring(1)).toByteArray();
        boolean removed =
                secrets.remove(secret) || (rule.charAt(0) == '<' && secrets.removeIf(each -> each.accepts(password)));
        if (!removed) {
            throw new RuleError(rule, RuleError.NO_SUCH_PASSWORD);
        }
    }

    private static Secret secretOf(String rule) {
        String word = rule.substring(1);
        if (rule.charAt(0) == '>' || rule.charAt(0) == '<') {
            return Secret.Sha256.of(Words.bytes(word).toByteArray());
        }
        try {
            return new Secret.Sha256(word);
        } catch (IllegalArgumentException bad) {
            throw new RuleError(rule, RuleError.BAD_HASH);
        }
    }

    private SelectorEditor selectorOf(String rule) {
        SelectorEditor selector = new SelectorEditor(bits, everyChannelByDefault.getAsBoolean());
        for (String word : rule.substring(1, rule.length() - 1).strip().split("\\s+", -1)) {
            if (!word.isEmpty()) {
                try {
                    selector.apply(word);
                } catch (RuleError bad) {
                    // The error names the whole selector, as the client wrote it.
                    throw new RuleError(rule, bad.text());
                }
            }
        }
        return selector;
    }
}
