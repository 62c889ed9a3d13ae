package io.polytable.redis.command;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.model.Glob;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** CONFIG: the {@link Settings} as clients see and change them. */
public final class ConfigCommands implements CommandFamily {
    private static final Flag[] ADMINS = {ADMIN, NOSCRIPT, LOADING, STALE};

    private final Settings settings;
    private final Node node;

    public ConfigCommands(Node node) {
        this.node = node;
        this.settings = node.settings();
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "config",
                List.of(
                        speaks("get", atLeast(3), this::get).with(ADMINS),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        speaks("resetstat", exactly(2), this::resetStatistics)
                                .with(ADMINS)
                                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
                        speaks("rewrite", exactly(2), this::rewrite)
                                .with(ADMINS)
                                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
                        speaks("set", atLeast(4), this::set)
                                .with(ADMINS)
                                .tips("request_policy:all_nodes", "response_policy:all_succeeded"))));
    }

    private Reply get(Call call) {
        List<Glob> globs = call.wordsFrom(2).stream().map(Glob::ignoringCase).toList();
        List<Reply> found = new ArrayList<>();
        for (Setting setting : settings.all()) {
            Bytes name = Bytes.utf8(setting.name());
            if (globs.stream().anyMatch(glob -> glob.matches(name))) {
                found.add(Reply.of(name));
                found.add(Reply.of(setting.text()));
            }
        }
        return Reply.mapOf(found);
    }

    /** All of them or none: each is checked before the first is changed. */
    private Reply set(Call call) {
        if (call.size() % 2 != 0) {
            throw RedisError.wrongArity("config|set");
        }
        Map<String, String> wanted = new LinkedHashMap<>();
        List<String> twice = new ArrayList<>();
        for (int i = 2; i < call.size(); i += 2) {
            String name = call.text(i).toLowerCase(Locale.ROOT);
            if (settings.find(name) == null) {
                throw new RedisError("Unknown option or number of arguments for CONFIG SET - '" + call.text(i) + "'");
            }
            if (wanted.put(name, call.text(i + 1)) != null) {
                twice.add(name);
            }
        }
        if (!twice.isEmpty()) {
            throw refused(twice.get(0), "duplicate parameter");
        }
        wanted.forEach(this::check);
        wanted.forEach(settings::set);
        return Reply.OK;
    }

    private void check(String name, String text) {
        Setting setting = settings.find(name);
        if (setting == null || setting.isFixed()) {
            throw refused(name, "can't set immutable config");
        }
        try {
            setting.check(text);
        } catch (RedisError bad) {
            throw refused(name, bad.text());
        }
    }

    private static RedisError refused(String name, String why) {
        return new RedisError("CONFIG SET failed (possibly related to argument '" + name + "') - " + why);
    }

    private Reply resetStatistics(Call call) {
        call.statistics().reset();
        node.clients().resetCounters();
        return Reply.OK;
    }

    private Reply rewrite(Call call) {
        throw new RedisError("The server is running without a config file");
    }

    private Reply help(Call call) {
        return HelpText.of(
                call,
                "GET <pattern> [<pattern> ...]",
                "    Tell the parameters whose names match, and what they are set to.",
                "RESETSTAT",
                "    Let the counters of INFO start from zero.",
                "REWRITE",
                "    Write the parameters to the configuration file; there is none here.",
                "SET <parameter> <value> [<parameter> <value> ...]",
                "    Set parameters, all of them or none.");
    }
}
