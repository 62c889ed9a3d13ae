package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scripts of several clients: long ones, killed ones, in transactions. */
@Timeout(60)
class ScriptServerTest {
    private final MemoryStore store = new MemoryStore();
    private final FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP);
    private final TestClient client = face.connect();
    private final TestClient other = face.connect();

    @AfterEach
    void close() {
        face.close();
    }

    @Test
    void aScriptIsOneChange() {
        assertThat(client.call(
                        "eval", "redis.call('set', KEYS[1], ARGV[1]) return redis.call('get', KEYS[1])", "1", "k", "v"))
                .isEqualTo("$1 v");
        assertThat(client.call(
                        "eval", "redis.call('set', 'undeclared', 'x') return redis.call('get', 'undeclared')", "0"))
                .isEqualTo("$1 x");
        assertThat(client.call("eval", "redis.call('set', 'k', 'kept') error('raised')", "1", "k"))
                .startsWith("-ERR user_script:1: raised script: ");
        assertThat(other.call("get", "k")).isEqualTo("$4 kept");
    }

    @Test
    void cachedScriptsAreFoundBySha() {
        String sha = client.call("script", "load", "return ARGV[1]").substring("$40 ".length());
        assertThat(other.call("evalsha", sha, "0", "x")).isEqualTo("$1 x");
        assertThat(other.call("evalsha", sha.toUpperCase(java.util.Locale.ROOT), "0", "x"))
                .isEqualTo("$1 x");
        assertThat(other.call("script", "exists", sha, "nope")).isEqualTo("*2 :1 :0");
        assertThat(other.call("script", "flush")).isEqualTo("+OK");
        assertThat(client.call("evalsha", sha, "0", "x")).isEqualTo("-NOSCRIPT No matching script. Please use EVAL.");
        assertThat(client.call("script", "load", "return f("))
                .startsWith("-ERR Error compiling script (new function): ");
    }

    @Test
    void aMissingScriptDoesNotAbortATransaction() {
        assertThat(client.call("multi")).isEqualTo("+OK");
        assertThat(client.call("evalsha", "0".repeat(40), "0")).isEqualTo("+QUEUED");
        assertThat(client.call("eval", "return redis.call('incr', 'n')", "0")).isEqualTo("+QUEUED");
        assertThat(client.call("incr", "n")).isEqualTo("+QUEUED");
        assertThat(client.call("exec")).isEqualTo("*3 -NOSCRIPT No matching script. Please use EVAL. :1 :2");
    }

    @Test
    void aLongScriptIsBusyAndCanBeKilled() {
        assertThat(client.call("config", "set", "busy-reply-threshold", "1")).isEqualTo("+OK");
        client.send(
                "eval",
                "redis.call('get', KEYS[1]) while true do pcall(function() while true do end end) end",
                "1",
                "k");
        Await.until("the script is busy", () -> other.call("ping").startsWith("-BUSY "));
        assertThat(other.call("script", "kill")).isEqualTo("+OK");
        assertThat(client.read())
                .startsWith("-ERR Script killed by user with SCRIPT KILL... script: ")
                .endsWith(", on @user_script:1.");
        assertThat(other.call("ping")).isEqualTo("+PONG");
        assertThat(other.call("script", "kill")).isEqualTo("-NOTBUSY No scripts in execution right now.");
    }

    /** Only the end of the server ends it, and then nothing of it is there. */
    @Test
    void aScriptThatWroteCannotBeKilled() {
        assertThat(client.call("config", "set", "busy-reply-threshold", "1")).isEqualTo("+OK");
        client.send("eval", "redis.call('set', KEYS[1], 1) while true do end", "1", "k");
        Await.until("the script is busy", () -> other.call("ping").startsWith("-BUSY "));
        assertThat(other.call("script", "kill")).startsWith("-UNKILLABLE Sorry the script already executed write");
        assertThat(other.call("function", "kill")).startsWith("-UNKILLABLE ");
        assertThat(other.call("ping")).startsWith("-BUSY ");
        face.face().close();
        try (FaceUnderTest next = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            assertThat(next.connect().call("get", "k")).isEqualTo("$-1");
        }
    }

    private static final String LIBRARY = """
            #!lua name=lib
            local n = 0
            redis.register_function('count', function(keys) n = n + 1 return redis.call('incr', keys[1]) end)
            local function loop() while true do end end
            redis.register_function{function_name='loop', flags={'no-writes'}, callback=loop}
            """;

    @Test
    void librariesLiveInTheStore() {
        assertThat(client.call("function", "load", LIBRARY)).isEqualTo("$3 lib");
        assertThat(client.call("fcall", "count", "1", "n")).isEqualTo(":1");
        String dump = client.call("function", "list", "withcode");
        face.face().close();
        try (FaceUnderTest next = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP)) {
            TestClient again = next.connect();
            assertThat(again.call("function", "list", "withcode")).isEqualTo(dump);
            assertThat(again.call("fcall", "count", "1", "n")).isEqualTo(":2");
            assertThat(again.call("function", "delete", "lib")).isEqualTo("+OK");
            assertThat(again.call("fcall", "count", "1", "n")).isEqualTo("-ERR Function not found");
        }
    }

    @Test
    void aLongFunctionIsShownAndCanBeKilled() {
        assertThat(client.call("function", "load", LIBRARY)).isEqualTo("$3 lib");
        assertThat(client.call("config", "set", "busy-reply-threshold", "1")).isEqualTo("+OK");
        client.send("fcall", "loop", "0", "argument");
        Await.until("the function is busy", () -> other.call("ping").startsWith("-BUSY "));
        assertThat(other.call("ping")).contains("You can only call FUNCTION KILL or SHUTDOWN NOSAVE");
        assertThat(other.call("script", "kill")).startsWith("-BUSY ");
        assertThat(other.call("function", "stats"))
                .contains("$4 name $4 loop $7 command *4 $5 fcall $4 loop $1 0 $8 argument $11 duration_ms :");
        assertThat(other.call("function", "kill")).isEqualTo("+OK");
        assertThat(client.read())
                .isEqualTo("-ERR Script killed by user with FUNCTION KILL... script: loop, on @user_function:4.");
        assertThat(other.call("function", "stats")).startsWith("*4 $14 running_script $-1");
    }

    @Test
    void librariesChangeInTransactions() {
        client.call("multi");
        client.call("function", "load", LIBRARY);
        client.call("function", "load", LIBRARY);
        client.call("fcall", "count", "1", "n");
        assertThat(client.call("exec")).isEqualTo("*3 $3 lib -ERR Library 'lib' already exists :1");
        assertThat(other.call("function", "flush")).isEqualTo("+OK");
        assertThat(other.call("fcall", "count", "1", "n")).isEqualTo("-ERR Function not found");
    }

    /** The loop must not wait for the stripes of a script that may never end. */
    @Test
    void othersWaitForTheKeysOfAScriptButTheLoopGoesOn() {
        client.send("eval", "redis.call('get', KEYS[1]) while true do end", "1", "k");
        other.send("set", "k", "v");
        TestClient third = face.connect();
        Await.until("the script runs", () -> third.call("script", "kill").equals("+OK"));
        assertThat(client.read()).startsWith("-ERR Script killed");
        assertThat(other.read()).isEqualTo("+OK");
        assertThat(third.call("get", "k")).isEqualTo("$1 v");
    }

    @Test
    void memoryIsBounded() {
        assertThat(client.call("config", "set", "script-memory-limit", "4mb")).isEqualTo("+OK");
        assertThat(client.call(
                        "eval",
                        "redis.call('set', 'k', 1) local t = {} while true do t[#t + 1] = #t .. 'x' end",
                        "1",
                        "k"))
                .startsWith("-OOM the script needs more memory");
        assertThat(client.call("eval", "local s = 'x' while true do s = s .. s end", "0"))
                .startsWith("-ERR not enough memory");
        assertThat(client.call("get", "k"))
                .as("nothing of an ended script stays")
                .isEqualTo("$-1");
    }

    @Test
    void readOnlyFormsRefuseWrites() {
        assertThat(client.call("eval_ro", "return redis.call('get', KEYS[1])", "1", "k"))
                .isEqualTo("$-1");
        assertThat(client.call("eval_ro", "return redis.call('set', KEYS[1], 1)", "1", "k"))
                .startsWith("-ERR Write commands are not allowed from read-only scripts. script: ");
    }
}
