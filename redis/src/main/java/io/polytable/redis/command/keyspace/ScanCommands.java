package io.polytable.redis.command.keyspace;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.reads;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.Glob;
import io.polytable.redis.model.keyspace.KeyPage;
import io.polytable.redis.model.keyspace.KeyWalk;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** SCAN, KEYS, RANDOMKEY. */
public final class ScanCommands implements CommandFamily {
    private final KeyWalk walk = new KeyWalk();
    private final Supplier<RandomGenerator> random;

    public ScanCommands(Supplier<RandomGenerator> random) {
        this.random = random;
    }

    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                reads("scan", atLeast(2), KeySpecs.NONE, this::scan)
                        .tips("nondeterministic_output", "request_policy:special", "response_policy:special"),
                reads("keys", exactly(2), KeySpecs.NONE, this::keys)
                        .in(Category.DANGEROUS)
                        .tips("request_policy:all_shards", "nondeterministic_output_order")
                        .offLoop(),
                reads("randomkey", exactly(1), KeySpecs.NONE, this::randomKey)
                        .tips("request_policy:all_shards", "nondeterministic_output", "response_policy:special"));
    }

    private Reply scan(Call call) {
        long cursor = ScanOptions.cursor(call, 1);
        ScanOptions options = ScanOptions.ofKeys(call, 2);
        KeyPage page = walk.step(call.space(), cursor, options.count(), (key, header) -> wanted(options, key, header));
        return Reply.many(Reply.of(Long.toUnsignedString(page.cursor())), Reply.bulks(page.keys()));
    }

    private static boolean wanted(ScanOptions options, Bytes key, Header header) {
        return (options.type().isEmpty()
                        || options.type().get().equals(header.type().text()))
                && options.match().matches(key);
    }

    private Reply keys(Call call) {
        Glob pattern = Glob.of(call.word(1));
        return Reply.bulks(walk.all(call.space(), (key, header) -> pattern.matches(key)));
    }

    private Reply randomKey(Call call) {
        return Reply.of(walk.random(call.space(), random.get()));
    }
}
