package io.polytable.redis.command;

/**
 * Why a call is not allowed.
 *
 * @param position the word of the key or channel; 0 for the command itself
 */
public record Denial(Kind kind, int position) {
    /** In the order in which Redis prefers to report them. */
    public enum Kind {
        COMMAND("command"),
        KEY("key"),
        AUTH("auth"),
        CHANNEL("channel");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** As ACL LOG shows it. */
        public String text() {
            return text;
        }
    }

    /** Where the call was made, as ACL LOG shows it. */
    public enum Context {
        TOPLEVEL("toplevel"),
        MULTI("multi"),
        LUA("lua");

        private final String text;

        Context(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** The context of a call that the session's client sent. */
        public static Context of(Session session) {
            return session.transaction().isOpen() ? MULTI : TOPLEVEL;
        }
    }

    /** The command itself is not allowed. */
    public static final Denial COMMAND = new Denial(Kind.COMMAND, 0);

    /** The text of the reply; it does not repeat names that the client sent. */
    public String text(String user, Call call) {
        return switch (kind) {
            case KEY -> "No permissions to access a key";
            case CHANNEL -> "No permissions to access a channel";
            case COMMAND, AUTH -> explained(user, call);
        };
    }

    /** The text of ACL DRYRUN, with the key or channel. */
    public String explained(String user, Call call) {
        String who = "User " + user + " has no permissions to ";
        return switch (kind) {
            case KEY -> who + "access the '" + call.quoted(position) + "' key";
            case CHANNEL -> who + "access the '" + call.quoted(position) + "' channel";
            case COMMAND, AUTH -> who + "run the '" + call.command().fullName() + "' command";
        };
    }
}
