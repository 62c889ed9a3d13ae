package io.polytable.redis.command.scripting;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ALLOW_BUSY;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;
import static io.polytable.redis.command.Flag.WRITE;

import io.polytable.redis.command.Arity;
import io.polytable.redis.command.Body;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.model.Glob;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.FunctionDumps;
import io.polytable.redis.model.keyspace.Libraries;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** FCALL and FUNCTION. The dispatcher runs what FCALL calls. */
public final class FunctionCommands implements CommandFamily {
    private static final String[] ALL_SHARDS = {"request_policy:all_shards", "response_policy:all_succeeded"};

    private final Scripts scripts;
    private final Functions functions;
    private final Supplier<DumpFormat> format;

    /** @param format of FUNCTION DUMP */
    public FunctionCommands(Scripts scripts, Supplier<DumpFormat> format) {
        this.scripts = scripts;
        this.functions = scripts.functions();
        this.format = format;
    }

    @Override
    public Group group() {
        return Group.SCRIPTING;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                ScriptCommands.runs("fcall", false, true),
                ScriptCommands.runs("fcall_ro", true, true),
                container(
                        "function",
                        List.of(
                                changes("delete", exactly(3), this::delete),
                                speaks("dump", exactly(2), this::dump).with(NOSCRIPT),
                                changes("flush", atLeast(2), this::flush),
                                speaks("help", exactly(2), HelpText::of).with(LOADING, STALE),
                                speaks("kill", exactly(2), this::kill)
                                        .with(NOSCRIPT, ALLOW_BUSY)
                                        .tips("request_policy:all_shards", "response_policy:one_succeeded"),
                                speaks("list", atLeast(2), this::list)
                                        .with(NOSCRIPT)
                                        .tips("nondeterministic_output_order"),
                                changes("load", atLeast(3), this::load).with(DENYOOM),
                                changes("restore", atLeast(3), this::restore).with(DENYOOM),
                                speaks("stats", exactly(2), this::stats)
                                        .with(NOSCRIPT, ALLOW_BUSY)
                                        .tips(
                                                "nondeterministic_output",
                                                "request_policy:all_shards",
                                                "response_policy:special"))));
    }

    /** Nothing else runs meanwhile: libraries are not among the keys of any call. */
    private static Command changes(String name, Arity arity, Body body) {
        return speaks(name, arity, body)
                .with(WRITE, NOSCRIPT)
                .tips(ALL_SHARDS)
                .exclusive()
                .offLoop();
    }

    private static UnitOfWork unit(Call call) {
        return call.space().unit();
    }

    private Reply load(Call call) {
        boolean replaces = false;
        int last = call.size() - 1;
        for (int i = 2; i < last; i++) {
            if (!call.is(i, "REPLACE")) {
                throw new RedisError("Unknown option given: " + call.quoted(i));
            }
            replaces = true;
        }
        UnitOfWork unit = unit(call);
        Libraries next = functions.with(unit.libraries(), call.word(last), replaces);
        unit.changeLibraries(next);
        return Reply.of(Library.Header.of(call.word(last)).name());
    }

    private Reply delete(Call call) {
        UnitOfWork unit = unit(call);
        String name = call.word(2).utf8();
        if (!unit.libraries().all().containsKey(name)) {
            throw new RedisError("Library not found");
        }
        unit.changeLibraries(unit.libraries().without(name));
        return Reply.OK;
    }

    private Reply flush(Call call) {
        if (call.size() > 3) {
            throw CommandErrors.subcommandSyntax(call);
        }
        if (!ScriptCommands.isFlush(call)) {
            throw new RedisError("FUNCTION FLUSH only supports SYNC|ASYNC option");
        }
        unit(call).changeLibraries(Libraries.none());
        return Reply.OK;
    }

    private Reply dump(Call call) {
        return Reply.of(FunctionDumps.write(unit(call).libraries().all().values(), format.get()));
    }

    private Reply restore(Call call) {
        if (call.size() > 4) {
            throw CommandErrors.subcommandSyntax(call);
        }
        boolean flushes = call.size() == 4 && call.is(3, "FLUSH");
        boolean replaces = call.size() == 4 && call.is(3, "REPLACE");
        if (call.size() == 4 && !flushes && !replaces && !call.is(3, "APPEND")) {
            throw new RedisError("Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.");
        }
        List<Bytes> restored = FunctionDumps.read(call.word(2));
        UnitOfWork unit = unit(call);
        Libraries next = flushes ? Libraries.none() : unit.libraries();
        for (Bytes code : restored) {
            String name = Library.Header.of(code).name();
            if (!flushes && !replaces && next.all().containsKey(name)) {
                throw new RedisError("Library " + name + " already exists");
            }
            next = functions.with(next, code, replaces);
        }
        unit.changeLibraries(next);
        return Reply.OK;
    }

    private Reply kill(Call call) {
        scripts.kill(true);
        return Reply.OK;
    }

    private Reply list(Call call) {
        Bytes pattern = null;
        boolean withCode = false;
        for (int i = 2; i < call.size(); i++) {
            if (!withCode && call.is(i, "WITHCODE")) {
                withCode = true;
            } else if (pattern == null && call.is(i, "LIBRARYNAME")) {
                if (i + 1 == call.size()) {
                    throw new RedisError("library name argument was not given");
                }
                pattern = call.word(++i);
            } else {
                throw new RedisError("Unknown argument " + call.quoted(i));
            }
        }
        Glob names = pattern == null ? Glob.of(Bytes.utf8("*")) : Glob.ignoringCase(pattern);
        List<Reply> shown = new ArrayList<>();
        for (Library library : functions.all(unit(call).libraries())) {
            if (names.matches(Bytes.utf8(library.name()))) {
                shown.add(shown(library, withCode));
            }
        }
        return Reply.many(shown);
    }

    private static Reply shown(Library library, boolean withCode) {
        List<Reply> all = new ArrayList<>();
        for (Function each : library.functions()) {
            List<Reply> flags = new ArrayList<>();
            each.flags().forEach(flag -> flags.add(Reply.simple(flag.text())));
            all.add(Reply.mapOf(
                    Reply.of("name"),
                    Reply.of(each.name()),
                    Reply.of("description"),
                    each.description().map(Reply::of).orElse(Reply.ABSENT),
                    Reply.of("flags"),
                    new Reply.SetOf(flags)));
        }
        List<Reply> parts = new ArrayList<>(List.of(
                Reply.of("library_name"),
                Reply.of(library.name()),
                Reply.of("engine"),
                Reply.of("LUA"),
                Reply.of("functions"),
                Reply.many(all)));
        if (withCode) {
            parts.add(Reply.of("library_code"));
            parts.add(Reply.of(library.body()));
        }
        return Reply.mapOf(parts);
    }

    private Reply stats(Call call) {
        Libraries libraries = unit(call).libraries();
        Reply lua = Reply.mapOf(
                Reply.of("libraries_count"),
                Reply.of(libraries.all().size()),
                Reply.of("functions_count"),
                Reply.of(functions.count(libraries)));
        return Reply.mapOf(
                Reply.of("running_script"), running(), Reply.of("engines"), Reply.mapOf(Reply.of("LUA"), lua));
    }

    private Reply running() {
        RunningScript running = scripts.running();
        if (running == null) {
            return Reply.ABSENT;
        }
        if (!running.routine().isFunction()) {
            throw Scripts.busy(running);
        }
        List<Reply> words = new ArrayList<>();
        running.words().forEach(word -> words.add(Reply.of(word)));
        return Reply.mapOf(
                Reply.of("name"),
                Reply.of(running.routine().label()),
                Reply.of("command"),
                Reply.many(words),
                Reply.of("duration_ms"),
                Reply.of(running.millis()));
    }
}
