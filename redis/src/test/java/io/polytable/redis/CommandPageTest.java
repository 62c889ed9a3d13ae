package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The commands that docs/redis.md lists are those of the command table. With {@code -Dpolytable.golden.write=true} the page's
 * table is rewritten.
 */
class CommandPageTest {
    private static final Path PAGE = Path.of(System.getProperty("polytable.root", ".."), "docs", "redis.md");
    private static final String BEGIN = "<!-- commands: written by CommandPageTest -->\n";
    private static final String END = "<!-- end of commands -->\n";

    @Test
    void thePageListsTheCommandTable() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).contains(BEGIN).contains(END);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (Boolean.getBoolean("polytable.golden.write")) {
            Files.writeString(PAGE, page.substring(0, begin) + table() + page.substring(end));
        } else {
            assertThat(page.substring(begin, end)).isEqualTo(table());
        }
    }

    private static String table() {
        Node node = new Node(Keyspace.open(new MemoryStore()), new RedisConfig(), InstantSource.system());
        List<Command> commands = CommandTable.of(Families.all(node)).commands();
        StringBuilder table = new StringBuilder("| group | commands |\n| --- | --- |\n");
        for (Group group : Group.values()) {
            String names = commands.stream()
                    .filter(command -> command.group() == group)
                    .sorted(Comparator.comparing(Command::name))
                    .map(CommandPageTest::shown)
                    .collect(Collectors.joining(" "));
            if (!names.isEmpty()) {
                table.append("| ")
                        .append(group.text())
                        .append(" | ")
                        .append(names)
                        .append(" |\n");
            }
        }
        return table.toString();
    }

    private static String shown(Command command) {
        String name = command.name().toUpperCase(Locale.ROOT);
        if (command.subcommands().isEmpty()) {
            return name;
        }
        return name
                + command.subcommands().stream()
                        .map(sub -> sub.name().toUpperCase(Locale.ROOT))
                        .sorted()
                        .collect(Collectors.joining(" ", " (", ")"));
    }
}
