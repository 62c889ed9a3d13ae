package io.polytable.redis.command.lua;

import io.polytable.redis.command.Reply;
import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What a running script may ask of the server. A {@link StopScript} that a method throws ends the run, whatever the
 * script catches, and {@link LuaState#run} throws it again.
 */
public interface LuaHost {
    /** Runs a command; a failure is a reply too. */
    Reply call(Bytes[] words, int protocol);

    /** Called now and then in a run that is not short. */
    void tick();

    /** Called before the first coroutine is created. */
    void usesCoroutines();

    /** For redis.log. */
    void log(int level, String text);

    /** For redis.acl_check_cmd: the error when there is no such command. */
    @Nullable
    String unknown(Bytes[] words);

    /** For redis.acl_check_cmd: whether the user of the script may run the command. */
    boolean allows(Bytes[] words);
}
