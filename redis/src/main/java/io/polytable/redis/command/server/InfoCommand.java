package io.polytable.redis.command.server;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Category.DANGEROUS;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.node.Node;
import io.polytable.table.Bytes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** INFO. */
public final class InfoCommand implements CommandFamily {
    /** Sections that INFO shows only on request. */
    private static final Set<String> LONG_ONES = Set.of("commandstats", "latencystats");

    private final Map<String, BiConsumer<Call, Report>> sections = new LinkedHashMap<>();

    public InfoCommand(Node node) {
        ServerReport server = new ServerReport(node);
        ActivityReport activity = new ActivityReport(node);
        sections.put("server", (call, report) -> server.server(report));
        sections.put("clients", (call, report) -> server.clients(report));
        sections.put("memory", server::memory);
        sections.put("persistence", (call, report) -> server.persistence(report));
        sections.put("stats", activity::stats);
        sections.put("replication", (call, report) -> server.replication(report));
        sections.put("cpu", (call, report) -> server.cpu(report));
        sections.put("modules", (call, report) -> report.section("Modules"));
        sections.put("commandstats", activity::commands);
        sections.put("errorstats", (call, report) -> activity.errors(report));
        sections.put("latencystats", activity::latencies);
        sections.put("cluster", (call, report) -> report.section("Cluster").line("cluster_enabled", 0));
        sections.put("keyspace", activity::keyspace);
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(speaks("info", atLeast(1), this::info)
                .with(LOADING, STALE)
                .in(DANGEROUS)
                .countingKeys()
                .tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special"));
    }

    private Reply info(Call call) {
        Set<String> wanted = new LinkedHashSet<>();
        if (call.size() == 1) {
            addUsual(wanted);
        }
        for (int i = 1; i < call.size(); i++) {
            String name = call.text(i).toLowerCase(Locale.ROOT);
            if (name.equals("default")) {
                addUsual(wanted);
            } else if (name.equals("all") || name.equals("everything")) {
                wanted.addAll(sections.keySet());
            } else {
                wanted.add(name);
            }
        }
        Report report = new Report();
        sections.forEach((name, section) -> {
            if (wanted.contains(name)) {
                section.accept(call, report);
            }
        });
        return new Reply.Verbatim("txt", Bytes.utf8(report.toString()));
    }

    private void addUsual(Set<String> wanted) {
        sections.keySet().stream().filter(name -> !LONG_ONES.contains(name)).forEach(wanted::add);
    }
}
