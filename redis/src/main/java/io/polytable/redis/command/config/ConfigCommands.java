package io.polytable.redis.command.config;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.model.Glob;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** CONFIG: reads and changes the {@link RedisConfig}. */
public final class ConfigCommands implements CommandFamily {
    private static final Flag[] ADMINS = {ADMIN, NOSCRIPT, LOADING, STALE};

    private final RedisConfig settings;
    private final Runnable resetStatistics;

    public ConfigCommands(RedisConfig settings, Runnable resetStatistics) {
        this.settings = settings;
        this.resetStatistics = resetStatistics;
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

    /** Each parameter once. One that was named without a pattern is returned in the caller's spelling. */
    private Reply get(Call call) {
        Map<String, String> shown = new LinkedHashMap<>();
        for (int i = 2; i < call.size(); i++) {
            String asked = call.text(i);
            ConfigParameter named = settings.find(asked.toLowerCase(Locale.ROOT));
            if (named != null) {
                shown.putIfAbsent(asked.toLowerCase(Locale.ROOT), asked);
            } else {
                Glob glob = Glob.ignoringCase(call.word(i));
                settings.all().keySet().stream()
                        .filter(name -> glob.matches(Bytes.utf8(name)))
                        .forEach(name -> shown.putIfAbsent(name, name));
            }
        }
        List<Reply> found = new ArrayList<>();
        settings.all().forEach((name, parameter) -> {
            String asked = shown.get(name);
            if (asked != null) {
                found.add(Reply.of(asked));
                found.add(Reply.of(parameter.text()));
            }
        });
        return Reply.mapOf(found);
    }

    /** All or nothing: checks every value before it changes the first. */
    private Reply set(Call call) {
        if (call.size() % 2 != 0) {
            throw RedisError.wrongArity("config|set");
        }
        Map<String, String> wanted = new LinkedHashMap<>();
        List<String> twice = new ArrayList<>();
        for (int i = 2; i < call.size(); i += 2) {
            String name = call.text(i).toLowerCase(Locale.ROOT);
            if (settings.find(name) == null) {
                throw new RedisError("Unknown option or number of arguments for CONFIG SET - '" + call.quoted(i) + "'");
            }
            if (wanted.put(name, call.text(i + 1)) != null) {
                twice.add(name);
            }
        }
        if (!twice.isEmpty()) {
            throw refused(twice.get(0), "duplicate parameter");
        }
        wanted.forEach(this::check);
        settings.change(wanted);
        return Reply.OK;
    }

    private void check(String name, String text) {
        try {
            Objects.requireNonNull(settings.find(name)).check(text);
        } catch (RedisError bad) {
            throw refused(name, bad.text());
        }
    }

    private static RedisError refused(String name, String why) {
        return new RedisError("CONFIG SET failed (possibly related to argument '" + name + "') - " + why);
    }

    private Reply resetStatistics(Call call) {
        resetStatistics.run();
        return Reply.OK;
    }

    private Reply rewrite(Call call) {
        settings.rewrite();
        return Reply.OK;
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
