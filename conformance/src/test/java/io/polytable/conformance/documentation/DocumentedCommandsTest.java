package io.polytable.conformance.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of README and of the pages print what is written there, run in their order against one server. */
@Timeout(1800)
class DocumentedCommandsTest {
    private static final List<String> PAGES =
            List.of("README.md", "docs/sql.md", "docs/tiering.md", "docs/entity.md", "docs/operations.md");
    private static final Pattern LAYOUT = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    @Test
    void everyCommandPrintsWhatThePageShows() throws IOException, InterruptedException {
        Tool.need("redis-cli");
        Tool.need("curl");
        Path root = Path.of(System.getProperty("polytable.root", ".."));
        Matcher layout = LAYOUT.matcher(Files.readString(root.resolve("docs/entity.md")));
        assertThat(layout.find()).isTrue();
        Files.writeString(directory.resolve("users.json"), layout.group(1));
        SoftAssertions softly = new SoftAssertions();
        try (Terminal terminal = new Terminal(directory)) {
            for (String page : PAGES) {
                List<CommandBlock> blocks = CommandBlock.of(Files.readString(root.resolve(page)));
                assertThat(blocks).as("command blocks of %s", page).isNotEmpty();
                if (!page.equals("README.md")) {
                    terminal.ensureServer();
                }
                for (CommandBlock block : blocks) {
                    for (CommandBlock.Step step : block.steps()) {
                        String printed = terminal.run(step);
                        CommandBlock.Step shown = Terminal.comparable(step);
                        softly.assertThat(shown.matches(printed))
                                .as(
                                        "%s: %s%nshows%n%s%nbut it prints%n%s",
                                        page, step.command(), String.join("\n", shown.output()), printed)
                                .isTrue();
                    }
                }
            }
        }
        softly.assertAll();
    }
}
