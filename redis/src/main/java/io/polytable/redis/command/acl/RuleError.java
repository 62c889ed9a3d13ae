package io.polytable.redis.command.acl;

/** A rule that cannot be applied, with Redis' text. It has no stack trace. */
final class RuleError extends RuntimeException {
    static final String UNKNOWN_NAME = "Unknown command or category name in ACL";
    static final String SYNTAX = "Syntax error";
    static final String AFTER_EVERY_KEY =
            "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have any effect. "
                    + "Try 'resetkeys' to start with an empty list of patterns";
    static final String AFTER_EVERY_CHANNEL =
            "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not have any effect. "
                    + "Try 'resetchannels' to start with an empty list of channels";
    static final String NO_SUCH_PASSWORD = "The password you are trying to remove from the user does not exist";
    static final String BAD_HASH =
            "The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters";
    static final String FIRST_ARGUMENT_OF_SUBCOMMAND = "Allowing first-arg of a subcommand is not supported";

    private static final long serialVersionUID = 1L;

    private final String rule;

    RuleError(String rule, String text) {
        super(text, null, false, false);
        this.rule = rule;
    }

    String rule() {
        return rule;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
