package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.setting.Given;
import io.polytable.frontend.setting.Origin;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.hbase.HBaseSettings;
import io.polytable.redis.command.config.ConfigTable;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final Setting<?> MAX_CLIENTS =
            ServerCatalog.get().byName("redis.maxclients").orElseThrow();

    @TempDir
    private Path directory;

    @Test
    void withoutAnySourceEverythingIsDefault() {
        Settings settings = load(Map.of());
        assertThat(settings.get(RedisSettings.PORT)).isEqualTo(6379);
        assertThat(settings.all())
                .filteredOn(setting -> !setting.setting().equals(ServerSettings.DATA_DIR))
                .allSatisfy(setting -> assertThat(setting.origin()).isEqualTo(new Origin.Default()));
    }

    @Test
    void theCommandLineBeatsTheEnvironmentWhichBeatsTheFile() throws IOException {
        Path file = file("redis.port=1", "redis.maxclients=1", "redis.threads=1");
        Map<String, String> environment = Map.of("REDIS_PORT", "2", "REDIS_MAXCLIENTS", "2");
        Settings settings = load(environment, "--redis.port=3");

        assertThat(settings.given(RedisSettings.PORT))
                .isEqualTo(new Given(RedisSettings.PORT, "3", new Origin.CommandLine("--redis.port")));
        assertThat(settings.given(MAX_CLIENTS))
                .isEqualTo(new Given(MAX_CLIENTS, "2", new Origin.Environment("REDIS_MAXCLIENTS")));
        assertThat(settings.given(RedisSettings.THREADS))
                .isEqualTo(new Given(RedisSettings.THREADS, "1", new Origin.File(file, 3)));
    }

    @Test
    void aKeyHasThreeSpellings() throws IOException {
        assertThat(load(Map.of(), "--redis.sharding.num.shards=4").get(RedisSettings.SHARDS))
                .isEqualTo(4);
        assertThat(load(Map.of("REDIS_SHARDING_NUM_SHARDS", "5")).get(RedisSettings.SHARDS))
                .isEqualTo(5);
        file("redis.sharding.num.shards=6");
        assertThat(load(Map.of()).get(RedisSettings.SHARDS)).isEqualTo(6);
    }

    @Test
    void olderSpellingsAreTheSameKey() throws IOException {
        assertThat(load(Map.of(), "--redis.enable=false").get(RedisSettings.ENABLED))
                .isFalse();
        assertThat(load(Map.of("REDIS_ENABLE", "no")).get(RedisSettings.ENABLED))
                .isFalse();
        assertThat(load(Map.of(), "--redis.table.name=default.x").get(RedisSettings.TABLE))
                .isEqualTo("default.x");
        assertThat(load(Map.of("REDIS_ZSET_REVERSE_INDEX_TABLE", "default.y")).get(RedisSettings.ZSET_TABLE))
                .isEqualTo("default.y");
        file("redis.enable=false");
        assertThat(load(Map.of()).get(RedisSettings.ENABLED)).isFalse();
    }

    @Test
    void anUnknownNameIsRefusedWithTheNearestOne() throws IOException {
        refuses(Map.of(), "There is no setting --redis.prot; did you mean --redis.port?", "--redis.prot=1");
        refuses(Map.of(), "There is no setting --colour", "--colour=red");
        refuses(
                Map.of("REDIS_SHARDING_NUM_SHARD", "4"),
                "There is no setting REDIS_SHARDING_NUM_SHARD (in the environment);"
                        + " did you mean REDIS_SHARDING_NUM_SHARDS?");
        Path file = file("", "store.durabilty=always");
        refuses(
                Map.of(),
                "There is no setting store.durabilty (in " + file + " line 2); did you mean store.durability?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REDIS_URL=redis://cache:6379",
                "REDIS_HOST=cache",
                "REDIS_PASSWORD=x",
                "REDIS_PORT=tcp://10.0.0.7:6379",
                "REDIS_PORT_6379_TCP_ADDR=10.0.0.7",
                "REDIS_SERVICE_HOST=10.0.0.7",
                "ZOOKEEPER_PORT=tcp://10.0.0.8:2181",
                "HTTP_PROXY=http://proxy:3128",
                "POLYTABLE_SERVICE_PORT=8080",
                "REDIS_PORT=",
                "LOG_LEVEL=",
                "MEMORY=lots"
            })
    void otherProgramsVariablesChangeNothing(String assignment) {
        int equals = assignment.indexOf('=');
        Settings settings = load(Map.of(assignment.substring(0, equals), assignment.substring(equals + 1)));
        assertThat(settings.get(RedisSettings.PORT)).isEqualTo(6379);
        assertThat(settings.get(HBaseSettings.ZOOKEEPER_PORT)).isEqualTo(2181);
    }

    @Test
    void aBadValueIsRefusedByNameAndPlace() throws IOException {
        refuses(
                Map.of(),
                "redis.port cannot be \"70000\" (from the command line (--redis.port)): it takes a port from 0 to 65535",
                "--redis.port=70000");
        refuses(
                Map.of("STORE_DURABILITY", "sometimes"),
                "store.durability cannot be \"sometimes\" (from the environment (STORE_DURABILITY)):"
                        + " it takes one of always, everysec, os");
        Path file = file("redis.timeout=soon");
        refuses(
                Map.of(),
                "redis.timeout cannot be \"soon\" (from " + file + " line 1):"
                        + " it takes a time such as 500ms, 30s, 5m, 12h or 7d");
    }

    @Test
    void aBadValueIsRefusedAlsoWhereAStrongerOneIsGood() throws IOException {
        file("redis.port=many");
        assertThatThrownBy(() -> load(Map.of(), "--redis.port=1")).hasMessageStartingWith("redis.port cannot be");
    }

    @Test
    void theFileTakesCommentsColonsAndLiteralBackslashes() throws IOException {
        file("# a comment", "! another", "", "  redis.port : 7000  ", "redis.requirepass = a\\b=c#d ");
        Settings settings = load(Map.of());
        assertThat(settings.get(RedisSettings.PORT)).isEqualTo(7000);
        assertThat(settings.get(ConfigTable.passwordSetting())).isEqualTo(Bytes.utf8("a\\b=c#d"));
    }

    @Test
    void aMalformedFileIsRefused() throws IOException {
        Path file = file("redis.port");
        refuses(Map.of(), file + " line 1 is not key=value: redis.port");
        file("redis.requirepass hunter2");
        refuses(Map.of(), file + " line 1 is not key=value: redis.requirepass");
        file("redis.enabled=true", "redis.enable=false");
        refuses(Map.of(), "redis.enabled is set twice in " + file + ": on lines 1 and 2");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        refuses(Map.of(), "The settings file " + file + " is not UTF-8 text");
    }

    @Test
    void anotherFileCanBeNamed() throws IOException {
        file("redis.port=1");
        Path other = Files.writeString(directory.resolve("other"), "redis.port=2\ndata.dir=/somewhere\n");
        Settings named = ServerCatalog.load(List.of("--config=" + other), Map.of());
        assertThat(named.get(RedisSettings.PORT)).isEqualTo(2);
        assertThat(named.home()).isEqualTo(Path.of("/somewhere"));
        Map<String, String> environment = Map.of("POLYTABLE_CONFIG", other.toString());
        assertThat(load(environment).get(RedisSettings.PORT)).isEqualTo(2);
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> load(Map.of(), "--config=" + missing))
                .isInstanceOf(SettingException.class)
                .hasMessage("There is no settings file " + missing
                        + "; correct --config or POLYTABLE_CONFIG, or create the file");
        refuses(
                Map.of(),
                directory + " is a directory; --config and POLYTABLE_CONFIG name a settings file, such as "
                        + directory.resolve("polytable.properties"),
                "--config=" + directory);
    }

    @Test
    void aByteOrderMarkIsNoPartOfAName() throws IOException {
        file("\uFEFFredis.port=7001");
        assertThat(load(Map.of()).get(RedisSettings.PORT)).isEqualTo(7001);
    }

    @Test
    void theDataDirectorysOwnFileCannotMoveIt() throws IOException {
        Path file = file("data.dir=/elsewhere");
        refuses(
                Map.of(),
                "data.dir cannot be set in the data directory's own file (" + file + " line 1);"
                        + " use --data.dir, DATA_DIR or --config=FILE");
    }

    @Test
    void secretsAreNotShown() {
        Settings settings = load(Map.of("REDIS_REQUIREPASS", "hunter2"));
        assertThat(settings.given(ConfigTable.passwordSetting()).shown()).isEqualTo("(hidden)");
        assertThat(load(Map.of()).given(ConfigTable.passwordSetting()).shown()).isEmpty();
    }

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("polytable.properties"), List.of(lines));
    }

    private Settings load(Map<String, String> environment, String... words) {
        List<String> all = Stream.concat(Stream.of("--data.dir=" + directory), Stream.of(words))
                .toList();
        return ServerCatalog.load(all, environment);
    }

    private void refuses(Map<String, String> environment, String sentence, String... words) {
        assertThatThrownBy(() -> load(environment, words))
                .isInstanceOf(SettingException.class)
                .hasMessage(sentence);
    }
}
