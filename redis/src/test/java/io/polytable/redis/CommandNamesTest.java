package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The commands that there are, against the 392 commands and subcommands of Redis 7.2. */
class CommandNamesTest {
    @Test
    void onlySentinelIsMissing() throws IOException {
        Map<String, String> expected = commandsOf72();
        assertThat(expected).hasSize(392);
        Set<String> names = new TreeSet<>(expected.keySet());
        // SENTINEL is a command of a Redis that was started as one.
        names.removeIf(name -> name.startsWith("sentinel"));
        assertThat(ours().keySet()).isEqualTo(names);
    }

    @Test
    void eachIsInItsGroup() throws IOException {
        Map<String, String> expected = commandsOf72();
        ours().forEach((name, group) -> assertThat(group).as(name).isEqualTo(expected.get(name)));
    }

    /** As a Redis that is no sentinel. */
    @Test
    void whatIsMissingIsAnsweredByName() throws IOException {
        RedisInProcess redis = new RedisInProcess(InstantSource.system());
        Set<String> missing = new TreeSet<>(commandsOf72().keySet());
        missing.removeAll(ours().keySet());
        for (String name : missing) {
            String[] words = name.split("\\|", 2);
            Object answer = words.length == 1
                    ? redis.run(words[0], "return 1", "0")
                    : redis.run(words[0], words[1], "argument");
            assertThat((String) answer).as(name).startsWith("error: ERR unknown command 'sentinel'");
        }
    }

    private static Map<String, String> ours() {
        Node node = new Node(Keyspace.open(new MemoryStore()), new RedisConfig(), InstantSource.system());
        Map<String, String> ours = new TreeMap<>();
        add(CommandTable.of(Families.all(node)).commands(), ours);
        return ours;
    }

    private static void add(List<Command> commands, Map<String, String> all) {
        for (Command command : commands) {
            all.put(command.fullName(), command.group().text());
            add(command.subcommands(), all);
        }
    }

    private static Map<String, String> commandsOf72() throws IOException {
        try (InputStream in = CommandNamesTest.class.getResourceAsStream("/redis-7.2-commands.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" ", 2))
                    .collect(Collectors.toMap(words -> words[0], words -> words[1]));
        }
    }
}
