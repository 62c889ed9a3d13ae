package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase's shell, unmodified, in a process with its own jars; commands come in, what it prints goes out. */
@Tag("peers")
class ShellTest {
    private static final int SECONDS_MAX = 300;

    /** Each command, and a pattern of what must stand in what it prints. */
    private static Map<String, String> commands() {
        Map<String, String> commands = new LinkedHashMap<>();
        commands.put("version", "2\\.4\\.17");
        commands.put("status", "1 active master, 0 backup masters, 1 servers, 0 dead");
        commands.put("create_namespace 'team'", "Took");
        commands.put(
                "create 'users', {NAME => 'info', VERSIONS => 3}, {NAME => 'log'}, SPLITS => ['h', 'p']", "Created");
        commands.put("create 'team:things', 'f'", "Created table team:things");
        commands.put("list", "users");
        commands.put("exists 'users'", "Table users does exist");
        commands.put("describe 'users'", "NAME => 'info'.*VERSIONS => '3'");
        commands.put("put 'users', 'ann', 'info:name', 'Ann', 100", "Took");
        commands.put("put 'users', 'ann', 'info:name', 'Anne', 200", "Took");
        commands.put("put 'users', 'bob', 'info:name', 'Bob'", "Took");
        commands.put("put 'users', 'zoe', 'log:last', 'seen'", "Took");
        commands.put("get 'users', 'ann'", "info:name .*value=Anne");
        commands.put(
                "get 'users', 'ann', {COLUMN => 'info:name', VERSIONS => 3}",
                "timestamp=.*value=Anne(?s:.*)value=Ann\\b");
        commands.put("scan 'users'", "3 row\\(s\\)");
        commands.put("scan 'users', {REVERSED => true, LIMIT => 1}", "zoe(?s:.*)1 row\\(s\\)");
        commands.put(
                "scan 'users', {FILTER => \"PrefixFilter('a') AND ValueFilter(=, 'binary:Anne')\"}", "1 row\\(s\\)");
        commands.put(
                "scan 'users', {FILTER => \"SingleColumnValueFilter('info', 'name', =, 'substring:o')\", ROWPREFIXFILTER => 'b'}",
                "bob(?s:.*)1 row\\(s\\)");
        commands.put("scan 'users', {STARTROW => 'b', STOPROW => 'c', COLUMNS => ['info']}", "bob(?s:.*)1 row\\(s\\)");
        commands.put("count 'users'", "3 row\\(s\\)");
        commands.put("incr 'users', 'ann', 'info:visits', 5", "COUNTER VALUE = 5");
        commands.put("get_counter 'users', 'ann', 'info:visits'", "COUNTER VALUE = 5");
        commands.put("append 'users', 'ann', 'log:text', 'abc'", "CURRENT VALUE = abc");
        addChangesOfTables(commands);
        addCluster(commands);
        return commands;
    }

    private static void addChangesOfTables(Map<String, String> commands) {
        commands.put("delete 'users', 'ann', 'log:text'", "Took");
        commands.put("deleteall 'users', 'zoe'", "Took");
        commands.put("get_splits 'users'", "Total number of splits = 3");
        commands.put("list_regions 'users'", "3 rows");
        commands.put("locate_region 'users', 'k'", "users,h,");
        commands.put("alter 'users', {NAME => 'extra', TTL => 86400}", "Updating all regions with the new schema");
        commands.put("alter 'users', 'delete' => 'extra'", "Updating all regions with the new schema");
        commands.put("alter_status 'users'", "Done|regions updated");
        commands.put("split 'users', 'd'", "Took");
        commands.put("get_splits 'users' ", "Total number of splits = 4");
        commands.put("snapshot 'users', 'shot'", "Took");
        commands.put("list_snapshots", "shot(?s:.*)1 row");
        commands.put("clone_snapshot 'shot', 'cloned'", "Took");
        commands.put("count 'cloned'", "2 row\\(s\\)");
        commands.put("disable 'cloned'", "Took");
        commands.put("is_disabled 'cloned'", "true");
        commands.put("drop 'cloned'", "Took");
        commands.put("delete_snapshot 'shot'", "Took");
    }

    private static void addCluster(Map<String, String> commands) {
        commands.put("flush 'users'", "Took");
        commands.put("compact 'users'", "Took");
        commands.put("major_compact 'users'", "Took");
        commands.put("balance_switch false", "Previous balancer state : true");
        commands.put("balancer_enabled", "false");
        commands.put("normalizer_enabled", "false");
        commands.put("list_namespace", "team");
        commands.put("list_namespace_tables 'team'", "things");
        commands.put("describe_namespace 'team'", "team");
        commands.put("status 'simple'", "live servers");
        commands.put("status 'detailed'", "users,");
        commands.put("list_procedures", "CreateTableProcedure");
        commands.put("list_peers", "0 row\\(s\\)");
        commands.put("whoami", "groups");
        commands.put("truncate_preserve 'users'", "Truncating(?s:.*)Took");
        commands.put("count 'users' ", "0 row\\(s\\)");
        commands.put("disable 'team:things'", "Took");
        commands.put("drop 'team:things'", "Took");
        commands.put("drop_namespace 'team'", "Took");
        commands.put("get 'nowhere', 'x'", "ERROR: (Unknown table nowhere|Table nowhere)");
        commands.put("drop 'users'", "ERROR: Table users is enabled. Disable it first");
    }

    @Test
    void everyCommandIsAnswered(@TempDir Path directory) throws Exception {
        try (ServedCluster served = ServedCluster.on(directory.resolve("data"))) {
            Map<String, String> commands = commands();
            List<String> answers = answers(directory, served, List.copyOf(commands.keySet()));
            int at = 0;
            List<String> wrong = new ArrayList<>();
            for (Map.Entry<String, String> command : commands.entrySet()) {
                String answer = answers.get(at++);
                boolean isAsWanted =
                        Pattern.compile(command.getValue()).matcher(answer).find();
                boolean isRefusal = command.getValue().startsWith("ERROR");
                if (!isAsWanted || (answer.contains("ERROR") && !isRefusal)) {
                    wrong.add(command.getKey() + "\n" + answer);
                }
            }
            assertThat(wrong).isEmpty();
        }
    }

    /** What was printed behind each command. A line of its own is printed between two of them. */
    private static List<String> answers(Path directory, ServedCluster served, List<String> commands)
            throws IOException, InterruptedException {
        Path settings = SiteFile.write(directory.resolve("settings"), served);
        String classPath = settings + File.pathSeparator + ChildJvm.jarsOf("testbeds/hbase-tools/shell");
        List<String> words = List.of(
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "-Dhbase.ruby.sources=",
                "org.jruby.JarBootstrapMain");
        StringBuilder typed = new StringBuilder();
        for (String command : commands) {
            typed.append(command).append("\nputs 'next' + '-command'\n");
        }
        try (ChildJvm child = ChildJvm.start(directory.resolve("work"), classPath, words)) {
            child.type(typed + "exit\n");
            String[] answers = child.awaitSuccess(SECONDS_MAX).split("next-command\n", -1);
            assertThat(answers).hasSizeGreaterThan(commands.size());
            return List.of(answers);
        }
    }
}
