package io.polytable.conformance.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.differential.KnownDifferences;
import io.polytable.conformance.process.BothServers;
import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Our declaration of each command equals the reference's. */
@OnSharedServers
class CommandTableTest {
    private final KnownDifferences known = KnownDifferences.load();
    private BothServers servers;

    @BeforeAll
    void start(SharedServers shared) {
        servers = shared.both();
    }

    @Test
    void declaresWhatTheReferenceDeclares() {
        Map<String, Declaration> theirs = CommandTable.of(servers.reference()).commands();
        List<String> differences = new ArrayList<>();
        CommandTable.of(servers.ours()).commands().forEach((name, declaration) -> {
            Declaration expected = theirs.get(name);
            if (expected == null) {
                compare("COMMAND INFO " + name, "unknown", "known", differences);
            } else {
                declaration
                        .facts()
                        .forEach((fact, value) -> compare(
                                "COMMAND INFO " + name + ", " + fact,
                                expected.facts().getOrDefault(fact, ""),
                                value,
                                differences));
            }
        });
        assertThat(differences).isEmpty();
    }

    @Test
    void documentsWhatTheReferenceDocuments() {
        Map<String, Map<String, String>> theirs = documents(servers.reference());
        List<String> differences = new ArrayList<>();
        documents(servers.ours()).forEach((name, fields) -> {
            assertThat(fields.get("summary")).as("summary of %s", name).isNotBlank();
            Map<String, String> expected = theirs.getOrDefault(name, Map.of());
            for (String field : List.of("since", "group", "deprecated_since", "history", "arguments")) {
                compare(
                        "COMMAND DOCS " + name + ", " + field,
                        expected.getOrDefault(field, "unknown"),
                        fields.getOrDefault(field, "unknown"),
                        differences);
            }
        });
        assertThat(differences).isEmpty();
    }

    @Test
    void countsAndListsWhatItDeclares() {
        try (RespConnection connection = servers.ours().connect()) {
            List<Resp> all = connection.call("COMMAND").tree().items();
            List<String> names =
                    all.stream().map(entry -> entry.items().get(0).text()).toList();
            assertThat(connection.call("COMMAND", "COUNT").tree().number()).isEqualTo(all.size());
            assertThat(connection.call("COMMAND", "LIST").tree().texts()).containsAll(names);
            assertThat(connection.call("COMMAND", "INFO").tree().items()).hasSameSizeAs(all);
        }
    }

    @Test
    void answersForUnknownCommandsAndSubcommandsAsTheReferenceDoes() {
        List<List<String>> questions = List.of(
                List.of("COMMAND", "INFO", "nosuch"),
                List.of("COMMAND", "INFO", "get", "nosuch"),
                List.of("COMMAND", "INFO", "object|encoding"),
                List.of("COMMAND", "INFO", "object|nosuch"),
                List.of("COMMAND", "DOCS", "nosuch"),
                List.of("COMMAND", "NOSUCH"),
                List.of("COMMAND", "COUNT", "x"),
                List.of("COMMAND", "LIST", "x"),
                List.of("COMMAND", "LIST", "FILTERBY", "PATTERN", "hset*"));
        try (RespConnection theirs = servers.reference().connect();
                RespConnection mine = servers.ours().connect()) {
            for (String protocol : List.of("2", "3")) {
                theirs.call("HELLO", protocol);
                mine.call("HELLO", protocol);
                for (List<String> words : questions) {
                    assertThat(sorted(mine.call(words).tree()))
                            .as("RESP%s %s", protocol, words)
                            .isEqualTo(sorted(theirs.call(words).tree()));
                }
            }
        }
    }

    /** Sets have no order; the reference writes them in insertion order. */
    private static String sorted(Resp reply) {
        if (!(reply instanceof Resp.Many many)) {
            return reply.encoded();
        }
        return many.kind()
                + many.items().stream()
                        .map(CommandTableTest::sorted)
                        .sorted()
                        .toList()
                        .toString();
    }

    private void compare(String what, String theirs, String ours, List<String> differences) {
        boolean same = known.verdict(what, theirs, ours).orElseGet(() -> theirs.equals(ours));
        if (!same) {
            differences.add(what + "\n    reference: " + theirs + "\n    ours:      " + ours);
        }
    }

    private static Map<String, Map<String, String>> documents(RespServer server) {
        Map<String, Map<String, String>> documents = new HashMap<>();
        try (RespConnection connection = server.connect()) {
            collect(connection.call("COMMAND", "DOCS").tree(), documents);
        }
        return documents;
    }

    private static void collect(Resp commands, Map<String, Map<String, String>> documents) {
        for (int i = 0; i + 1 < commands.items().size(); i += 2) {
            Map<String, String> fields = new HashMap<>();
            List<Resp> document = commands.items().get(i + 1).items();
            for (int j = 0; j + 1 < document.size(); j += 2) {
                String field = document.get(j).text();
                if (field.equals("subcommands")) {
                    collect(document.get(j + 1), documents);
                } else if (field.equals("history")) {
                    fields.put(field, versions(document.get(j + 1)));
                } else if (field.equals("arguments")) {
                    fields.put(field, arguments(document.get(j + 1)));
                } else if (!(document.get(j + 1) instanceof Resp.Many)) {
                    fields.put(field, document.get(j + 1).text());
                }
            }
            documents.put(commands.items().get(i).text(), fields);
        }
    }

    /** The version of a change is compared; its description is each server's own. */
    private static String versions(Resp history) {
        return history.items().stream()
                .map(change -> change.items().get(0).text())
                .distinct()
                .sorted()
                .toList()
                .toString();
    }

    /** Names, types, tokens and everything else that 7.0 reports too. */
    private static String arguments(Resp arguments) {
        List<String> all = new ArrayList<>();
        for (Resp argument : arguments.items()) {
            Map<String, String> parts = new TreeMap<>();
            for (int i = 0; i + 1 < argument.items().size(); i += 2) {
                String part = argument.items().get(i).text();
                Resp value = argument.items().get(i + 1);
                if (part.equals("arguments")) {
                    parts.put(part, arguments(value));
                } else if (part.equals("flags")) {
                    parts.put(part, value.texts().stream().sorted().toList().toString());
                } else if (!part.equals("display_text")) {
                    parts.put(part, value.text());
                }
            }
            all.add(parts.toString());
        }
        return all.toString();
    }
}
