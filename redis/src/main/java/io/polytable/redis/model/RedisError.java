package io.polytable.redis.model;

/**
 * A client's mistake as Redis reports it: a code and a text. It belongs to the model, since the model finds most of
 * them (a wrong type, an overflow). It has no stack trace and is never logged, so the common ones are constants.
 */
// Shared instances are safe: without a stack trace nothing in them depends on where they are thrown.
@SuppressWarnings("StaticAssignmentOfThrowable")
public final class RedisError extends RuntimeException {
    public static final RedisError WRONG_TYPE =
            new RedisError(Code.WRONGTYPE, "Operation against a key holding the wrong kind of value");
    public static final RedisError SYNTAX = new RedisError("syntax error");
    public static final RedisError NOT_AN_INTEGER = new RedisError("value is not an integer or out of range");
    public static final RedisError NOT_A_FLOAT = new RedisError("value is not a valid float");
    public static final RedisError NO_SUCH_KEY = new RedisError("no such key");
    public static final RedisError INDEX_OUT_OF_RANGE = new RedisError("index out of range");
    public static final RedisError VALUE_OUT_OF_RANGE = new RedisError("value is out of range");
    public static final RedisError NOT_POSITIVE = new RedisError("value is out of range, must be positive");

    private static final long serialVersionUID = 1L;

    /** The first word of an error reply; clients decide by it. */
    public enum Code {
        ERR,
        WRONGTYPE,
        NOAUTH,
        WRONGPASS,
        NOPERM,
        NOPROTO,
        BUSYKEY,
        MISCONF,
        OOM,
        LOADING,
        READONLY,
        MASTERDOWN,
        NOMASTERLINK,
        EXECABORT,
        NOSCRIPT,
        NOTBUSY,
        CROSSSLOT,
        NOREPLICAS,
        UNBLOCKED,
        UNKILLABLE,
        NOGOODSLAVE,
        NOGROUP,
        BUSYGROUP,
        INVALIDOBJ,
        BUSY,
        /** An error of a script, whose text begins with a word of the script's choice. */
        CUSTOM
    }

    private final Code code;

    public RedisError(Code code, String text) {
        super(text, null, false, false);
        this.code = code;
    }

    /** An error with the code {@code ERR}. */
    public RedisError(String text) {
        this(Code.ERR, text);
    }

    public static RedisError wrongArity(String command) {
        return new RedisError("wrong number of arguments for '" + command + "' command");
    }

    /** An error from the line of an error reply, as a script may make one. */
    public static RedisError ofLine(String line) {
        int blank = line.indexOf(' ');
        String word = blank < 0 ? line : line.substring(0, blank);
        for (Code code : Code.values()) {
            if (blank > 0 && code != Code.CUSTOM && code.name().equals(word)) {
                return new RedisError(code, line.substring(blank + 1));
            }
        }
        return new RedisError(Code.CUSTOM, line);
    }

    /** The line of the error reply. */
    public String line() {
        return code == Code.CUSTOM ? text() : code + " " + text();
    }

    public Code code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
