package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session;
import io.polytable.redis.RedisFrontend;
import io.polytable.redis.command.acl.AclFile;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access control as clients see it; the texts are those of 7.2. */
class AclTest {
    private static final String NO_KEY = "-NOPERM No permissions to access a key";

    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();
    private FaceUnderTest face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP);
    private TestClient admin = face.connect();

    @AfterEach
    void stop() {
        face.close();
    }

    private TestClient as(String user, String... rules) {
        String[] words = new String[rules.length + 3];
        words[0] = "ACL";
        words[1] = "SETUSER";
        words[2] = user;
        System.arraycopy(rules, 0, words, 3, rules.length);
        assertThat(admin.call(words)).isEqualTo("+OK");
        TestClient client = face.connect();
        assertThat(client.call("AUTH", user, "pw")).isEqualTo("+OK");
        return client;
    }

    @Test
    void deniesCommandsKeysAndChannels() {
        TestClient alice = as("alice", "on", ">pw", "~a*", "&news", "+get", "+mget", "+publish", "+subscribe");
        assertThat(alice.call("GET", "a")).isEqualTo("$-1");
        assertThat(alice.call("SET", "a", "1"))
                .isEqualTo("-NOPERM User alice has no permissions to run the 'set' command");
        assertThat(alice.call("CONFIG", "GET", "*"))
                .isEqualTo("-NOPERM User alice has no permissions to run the 'config|get' command");
        assertThat(alice.call("MGET", "a", "b")).isEqualTo(NO_KEY);
        assertThat(alice.call("PUBLISH", "other", "x")).isEqualTo("-NOPERM No permissions to access a channel");
        assertThat(alice.call("PUBLISH", "news", "x")).isEqualTo(":0");
        assertThat(alice.call("ACL", "WHOAMI")).startsWith("-NOPERM");
        assertThat(admin.call("ACL", "DRYRUN", "alice", "GET", "b"))
                .isEqualTo("$51 User alice has no permissions to access the 'b' key");
        assertThat(alice.call("AUTH", "alice", "wrong")).startsWith("-WRONGPASS");
        assertThat(alice.call("GET", "a")).isEqualTo("$-1");
    }

    @Test
    void changesApplyToOpenConnectionsAtOnce() {
        TestClient alice = as("alice", "on", ">pw", "~*", "+@all");
        assertThat(alice.call("SET", "k", "v")).isEqualTo("+OK");
        admin.call("ACL", "SETUSER", "alice", "-set");
        assertThat(alice.call("SET", "k", "v"))
                .isEqualTo("-NOPERM User alice has no permissions to run the 'set' command");
        admin.call("ACL", "SETUSER", "alice", "off");
        assertThat(alice.call("GET", "k")).isEqualTo("$1 v");
        assertThat(face.connect().call("AUTH", "alice", "pw")).startsWith("-WRONGPASS");
    }

    @Test
    void removedUsersAreDisconnected() {
        TestClient alice = as("alice", "on", ">pw", "+@all");
        TestClient bob = as("bob", "on", ">pw", "+@all");
        assertThat(admin.call("ACL", "DELUSER", "alice", "nobody")).isEqualTo(":1");
        assertThat(alice.isClosedByServer()).isTrue();
        assertThat(bob.call("ACL", "DELUSER", "bob")).isEqualTo(":1");
        assertThat(bob.isClosedByServer()).isTrue();
        assertThat(admin.call("ACL", "DELUSER", "default")).isEqualTo("-ERR The 'default' user cannot be removed");
    }

    @Test
    void queuedCommandsAreCheckedTwice() {
        TestClient alice = as("alice", "on", ">pw", "~a*", "+@all");
        alice.call("MULTI");
        assertThat(alice.call("SET", "b", "1")).isEqualTo(NO_KEY);
        assertThat(alice.call("EXEC")).isEqualTo("-EXECABORT Transaction discarded because of previous errors.");
        alice.call("MULTI");
        assertThat(alice.call("SET", "a", "1")).isEqualTo("+QUEUED");
        assertThat(alice.call("PING")).isEqualTo("+QUEUED");
        admin.call("ACL", "SETUSER", "alice", "-set");
        assertThat(alice.call("EXEC"))
                .isEqualTo("*2 -NOPERM ACLs rules changed between the moment the transaction was accumulated and the"
                        + " EXEC call. This command is no longer allowed for the following reason: no permission to"
                        + " execute the command or subcommand +PONG");
        assertThat(admin.call("EXISTS", "a")).isEqualTo(":0");
    }

    @Test
    void scriptsActForTheirCaller() {
        TestClient alice = as("alice", "on", ">pw", "~a*", "+eval", "+get", "+set");
        assertThat(alice.call("EVAL", "return redis.call('del', 'a')", "0"))
                .startsWith(
                        "-ERR ACL failure in script: User alice has no permissions to run the 'del' command script:");
        assertThat(alice.call("EVAL", "return redis.pcall('get', 'b')", "0"))
                .isEqualTo("-ERR ACL failure in script: No permissions to access a key");
        assertThat(alice.call("EVAL", "return redis.call('set', 'a', 'x')", "1", "a"))
                .isEqualTo("+OK");
        String checks = "return {redis.acl_check_cmd('get', 'a'), redis.acl_check_cmd('get', 'b'),"
                + " redis.acl_check_cmd('del', 'a')}";
        assertThat(alice.call(
                        "EVAL",
                        "local r = {} for _, v in ipairs((function() " + checks
                                + " end)()) do r[#r + 1] = tostring(v) end return r",
                        "0"))
                .isEqualTo("*3 $4 true $5 false $5 false");
        assertThat(admin.call("ACL", "LOG", "1")).contains("$7 context $3 lua $6 object $1 b $8 username $5 alice");
    }

    @Test
    void blockedCallsAreCheckedAgainWhenTheyAreServed() {
        TestClient alice = as("alice", "on", ">pw", "~*", "+@all");
        alice.send("BLPOP", "list", "0");
        FaceUnderTest.await(() -> admin.call("INFO", "clients").contains("blocked_clients:1"));
        admin.call("ACL", "SETUSER", "alice", "resetkeys");
        assertThat(admin.call("LPUSH", "list", "x")).isEqualTo(":1");
        assertThat(alice.read()).isEqualTo(NO_KEY);
        assertThat(alice.call("PING")).isEqualTo("+PONG");
        assertThat(admin.call("LLEN", "list")).isEqualTo(":1");
    }

    @Test
    void subscribersOfForbiddenChannelsAreDisconnected() {
        TestClient alice = as("alice", "on", ">pw", "&news", "&p*", "+@all");
        TestClient other = face.connect();
        other.call("AUTH", "alice", "pw");
        assertThat(alice.call("SUBSCRIBE", "news")).startsWith("*3 $9 subscribe");
        assertThat(other.call("PSUBSCRIBE", "p*")).startsWith("*3 $10 psubscribe");
        admin.call("ACL", "SETUSER", "alice", "resetchannels", "&p*");
        assertThat(alice.isClosedByServer()).isTrue();
        assertThat(other.call("PING")).startsWith("*2 $4 pong");
    }

    @Test
    void sortNeedsEveryKeyForPatterns() {
        TestClient alice = as("alice", "on", ">pw", "~l", "+@all");
        admin.call("RPUSH", "l", "1");
        assertThat(alice.call("SORT", "l", "BY", "w_*"))
                .isEqualTo("-ERR BY option of SORT denied due to insufficient ACL permissions.");
        assertThat(alice.call("SORT", "l", "GET", "#"))
                .isEqualTo("-ERR GET option of SORT denied due to insufficient ACL permissions.");
        assertThat(alice.call("SORT", "l", "BY", "nosort")).isEqualTo("*1 $1 1");
        admin.call("ACL", "SETUSER", "alice", "%R~*");
        assertThat(alice.call("SORT", "l", "GET", "#")).isEqualTo("*1 $1 1");
    }

    @Test
    void usersOutliveTheServer() {
        admin.call("ACL", "SETUSER", "alice", "on", ">pw", "~a*", "(~b* +get)");
        admin.call("CONFIG", "SET", "requirepass", "secret");
        String before = admin.call("ACL", "LIST");
        face.face().close();
        RedisFrontend again = RedisFrontend.start(store, FaceUnderTest.ONE_LOOP);
        try (TestClient client = new TestClient(again.port())) {
            assertThat(client.call("PING")).isEqualTo("-NOAUTH Authentication required.");
            assertThat(client.call("AUTH", "secret")).isEqualTo("+OK");
            assertThat(client.call("ACL", "LIST")).isEqualTo(before);
        } finally {
            again.close();
        }
    }

    @Test
    void sessionsOfAllProtocolsSeeTheUser() {
        as("alice", "on", ">pw", "+@all");
        assertThat(face.sessions().all())
                .extracting(Session::principal)
                .containsExactly(Principal.ROOT, new Principal("alice", Principal.Role.USER));
    }

    @Test
    void loadsAndSavesAFile() throws IOException {
        Path file = directory.resolve("users.acl");
        Files.writeString(file, "user default on nopass ~* &* +@all\n\nuser alice on >pw ~a* +get\n");
        reopen(file);
        assertThat(admin.call("ACL", "USERS")).isEqualTo("*2 $5 alice $7 default");
        TestClient alice = face.connect();
        assertThat(alice.call("AUTH", "alice", "pw")).isEqualTo("+OK");
        admin.call("ACL", "SETUSER", "bob", "on", "nopass", "(~x +get)");
        assertThat(admin.call("ACL", "SAVE")).isEqualTo("+OK");
        assertThat(Files.readString(file))
                .isEqualTo("user alice on sanitize-payload"
                        + " #30c952fab122c3f9759f02a6d95c3758b246b4fee239957b2d4fee46e26170c4 ~a* resetchannels -@all +get\n"
                        + "user bob on nopass sanitize-payload resetchannels -@all (~x resetchannels -@all +get)\n"
                        + "user default on nopass sanitize-payload ~* &* +@all\n");
        Files.writeString(file, "user carl on\nuser carl off\nhello\nuser x +nix ~* ~a\n");
        assertThat(admin.call("ACL", "LOAD"))
                .isEqualTo("-ERR WARNING: Duplicate user 'carl' found on line 2. " + file
                        + ":3: line should start with \"user\" keyword followed by a username. " + file
                        + ":4: Error in applying operation '+nix': Unknown command or category name in ACL. " + file
                        + ":4: Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have"
                        + " any effect. Try 'resetkeys' to start with an empty list of patterns. WARNING: ACL errors"
                        + " detected, no change to the previously active ACL rules was performed");
        assertThat(admin.call("ACL", "USERS")).isEqualTo("*3 $5 alice $3 bob $7 default");
        Files.writeString(file, "user carl on\n");
        assertThat(admin.call("ACL", "LOAD")).isEqualTo("+OK");
        assertThat(alice.isClosedByServer()).isTrue();
        assertThat(admin.call("ACL", "USERS")).isEqualTo("*2 $4 carl $7 default");
        assertThat(admin.call("CONFIG", "SET", "aclfile", "x")).contains("can't set immutable config");
    }

    private void reopen(Path file) {
        face.close();
        face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.with("aclfile", file.toString()));
        admin = face.connect();
    }

    @Test
    void aBadFileStopsTheStart() {
        Path file = directory.resolve("missing.acl");
        MemoryStore empty = new MemoryStore();
        assertThatThrownBy(() -> RedisFrontend.start(empty, FaceUnderTest.ONE_LOOP.with("aclfile", file.toString())))
                .isInstanceOf(AclFile.InvalidAclFile.class)
                .hasMessage("Error loading ACLs, opening file '" + file + "': No such file or directory");
        empty.close();
    }

    @Test
    void newUsersMayUseTheChannelsOfTheDefault() {
        admin.call("CONFIG", "SET", "acl-pubsub-default", "allchannels");
        admin.call("ACL", "SETUSER", "a");
        admin.call("CONFIG", "SET", "acl-pubsub-default", "resetchannels");
        admin.call("ACL", "SETUSER", "b");
        assertThat(admin.call("ACL", "LIST"))
                .contains("user a off sanitize-payload &* -@all", "user b off sanitize-payload resetchannels -@all");
    }
}
