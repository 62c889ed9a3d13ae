package io.polytable.redis.command.keyspace;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.KeySpec.Begin;
import io.polytable.redis.command.KeySpec.Find;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.sort.SortQuery;
import io.polytable.redis.model.sort.Sorting;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * SORT and SORT_RO. With a pattern in BY or GET they read keys whose names derive from the elements, so they lock all
 * stripes while they run: they read a consistent state.
 */
public final class SortCommands implements CommandFamily {
    private static final Category[] CATEGORIES = {Category.SET, Category.SORTEDSET, Category.LIST, Category.DANGEROUS};
    private static final KeySpecs DERIVED = KeySpecs.of(new Begin.Unknown(), new Find.Unknown())
            .as(KeyFlag.RO, KeyFlag.ACCESS)
            .note(
                    "For the optional BY/GET keyword. It is marked 'unknown' because the key names derive from the content"
                            + " of the key we sort");
    private static final KeySpecs STORED = KeySpecs.of(new Begin.Unknown(), new Find.Unknown())
            .as(KeyFlag.OW, KeyFlag.UPDATE)
            .note(
                    "For the optional STORE keyword. It is marked 'unknown' because the keyword can appear anywhere in the"
                            + " argument array");

    private final Sorting sorting;
    private final BooleanSupplier grouped;

    /** @param grouped whether keys are in several groups, of which a command may access only one */
    public SortCommands(Sorting sorting, BooleanSupplier grouped) {
        this.sorting = sorting;
        this.grouped = grouped;
    }

    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        KeySpecs sorted = KeySpecs.FIRST.as(KeyFlag.RO, KeyFlag.ACCESS).and(DERIVED);
        return List.of(
                writes(
                                "sort",
                                atLeast(2),
                                sorted.and(STORED)
                                        .foundBy(SortCommands::findBoth)
                                        .reachingFurther(call -> readsOtherKeys(call, true)),
                                this::sort)
                        .with(Flag.DENYOOM)
                        .apart()
                        .in(CATEGORIES),
                reads(
                                "sort_ro",
                                atLeast(2),
                                sorted.foundBy((call, found) -> found.add(1))
                                        .reachingFurther(call -> readsOtherKeys(call, false)),
                                this::sortReadOnly)
                        .apart()
                        .in(CATEGORIES));
    }

    private static void findBoth(Call call, KeyPositions found) {
        found.add(1);
        int storeAt = SortOptions.storeAt(call);
        if (storeAt > 0) {
            found.add(storeAt);
        }
    }

    private static boolean readsOtherKeys(Call call, boolean stores) {
        try {
            return SortOptions.read(call, stores).query().readsOtherKeys();
        } catch (RedisError wrong) {
            // The body reports the error.
            return false;
        }
    }

    private Reply sort(Call call) {
        SortOptions options = SortOptions.read(call, true);
        check(options.query());
        if (options.storeAt() > 0) {
            return Reply.of(sorting.store(call.space(), call.key(1), options.query(), call.key(options.storeAt())));
        }
        return Reply.optionals(sorting.sort(call.space(), call.key(1), options.query()));
    }

    private Reply sortReadOnly(Call call) {
        SortQuery query = SortOptions.read(call, false).query();
        check(query);
        return Reply.optionals(sorting.sort(call.space(), call.key(1), query));
    }

    private void check(SortQuery query) {
        if (grouped.getAsBoolean() && query.readsOtherKeys()) {
            String option = query.readsWeights() ? "BY" : "GET";
            throw new RedisError(option + " option of SORT denied in cluster mode.");
        }
    }
}
