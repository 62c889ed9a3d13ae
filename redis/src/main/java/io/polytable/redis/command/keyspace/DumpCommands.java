package io.polytable.redis.command.keyspace;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Category.DANGEROUS;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;

import io.polytable.redis.command.Body;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.DumpedValue;
import io.polytable.redis.model.dump.Dumps;
import io.polytable.redis.model.dump.Restores;
import io.polytable.redis.model.row.Header;
import java.util.List;

/** DUMP and RESTORE. */
public final class DumpCommands implements CommandFamily {
    private static final long NOT_TOLD = -1;
    private static final long FREQUENCY_MAX = 255;

    private final RedisConfig settings;
    private final Dumps dumps;
    private final Restores restores;

    public DumpCommands(RedisConfig settings, Dumps dumps, Restores restores) {
        this.settings = settings;
        this.dumps = dumps;
        this.restores = restores;
    }

    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                reads("dump", exactly(2), KeySpecs.FIRST, this::dump).tips("nondeterministic_output"),
                restoring("restore", this::restore));
    }

    static Command restoring(String name, Body body) {
        return writes(name, atLeast(4), KeySpecs.FIRST.as(KeyFlag.OW, KeyFlag.UPDATE), body)
                .with(DENYOOM)
                .in(DANGEROUS);
    }

    private Reply dump(Call call) {
        return Reply.of(dumps.dump(call.space(), call.key(1), format()));
    }

    /** What DUMP writes, as the settings say. */
    public DumpFormat format() {
        return new DumpFormat(DumpFormat.Version.OF_7_2, settings.packing(), settings.compressesDumps());
    }

    /** The options of RESTORE. */
    private record Options(boolean replaces, boolean absolute, long idleSeconds, long frequency) {
        static Options read(Call call) {
            boolean replaces = false;
            boolean absolute = false;
            long idleSeconds = NOT_TOLD;
            long frequency = NOT_TOLD;
            for (int i = 4; i < call.size(); i++) {
                boolean hasMore = i + 1 < call.size();
                if (call.is(i, "replace")) {
                    replaces = true;
                } else if (call.is(i, "absttl")) {
                    absolute = true;
                } else if (call.is(i, "idletime") && hasMore && frequency == NOT_TOLD) {
                    idleSeconds = within(call.integer(++i), Long.MAX_VALUE, "Invalid IDLETIME value, must be >= 0");
                } else if (call.is(i, "freq") && hasMore && idleSeconds == NOT_TOLD) {
                    frequency = within(call.integer(++i), FREQUENCY_MAX, "Invalid FREQ value, must be >= 0 and <= 255");
                } else {
                    throw RedisError.SYNTAX;
                }
            }
            return new Options(replaces, absolute, idleSeconds, frequency);
        }

        private static long within(long value, long most, String otherwise) {
            if (value < 0 || value > most) {
                throw new RedisError(otherwise);
            }
            return value;
        }
    }

    Reply restore(Call call) {
        Options options = Options.read(call);
        if (!options.replaces && call.space().header(call.key(1)).isPresent()) {
            throw new RedisError(Code.BUSYKEY, "Target key name already exists.");
        }
        long life = call.integer(2);
        if (life < 0) {
            throw new RedisError("Invalid TTL value, must be >= 0");
        }
        DumpedValue value = restores.read(call.space(), call.word(3));
        // The sum may overflow; as in Redis, the key has then expired.
        long expireAt = life == 0 ? Header.NEVER : options.absolute ? life : Math.max(0, life + call.nowMillis());
        restores.restore(call.space(), call.key(1), value, expireAt);
        if (options.idleSeconds != NOT_TOLD) {
            call.space().usedBefore(call.key(1), options.idleSeconds);
        }
        if (options.frequency != NOT_TOLD) {
            call.space().usedAsOften(call.key(1), (int) options.frequency);
        }
        return Reply.OK;
    }
}
