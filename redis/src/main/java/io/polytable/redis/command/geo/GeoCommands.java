package io.polytable.redis.command.geo;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.geo.Geo;
import io.polytable.redis.model.geo.GeoPoint;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.zset.AddOutcome;
import io.polytable.redis.model.zset.AddRules;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The geo family: positions are members of a sorted set, whose score is the geohash. */
public final class GeoCommands implements CommandFamily {
    private final SortedSets sets;
    private final Geo geo;
    private final GeoSearchCommands searches;

    public GeoCommands(SortedSets sets) {
        this.sets = sets;
        this.geo = new Geo(sets);
        this.searches = new GeoSearchCommands(geo);
    }

    @Override
    public Group group() {
        return Group.GEO;
    }

    @Override
    public List<Command> commands() {
        List<Command> all = new ArrayList<>(List.of(
                writes("geoadd", atLeast(5), FIRST, this::geoAdd).with(DENYOOM),
                reads("geodist", atLeast(4), FIRST, this::geoDist),
                reads("geohash", atLeast(2), FIRST, this::geoHash),
                reads("geopos", atLeast(2), FIRST, this::geoPos)));
        all.addAll(searches.commands());
        return all;
    }

    private Reply geoAdd(Call call) {
        boolean nx = false;
        boolean xx = false;
        boolean ch = false;
        int at = 2;
        for (; at < call.size(); at++) {
            if (call.is(at, "nx")) {
                nx = true;
            } else if (call.is(at, "xx")) {
                xx = true;
            } else if (call.is(at, "ch")) {
                ch = true;
            } else {
                break;
            }
        }
        if ((call.size() - at) % 3 != 0 || (nx && xx)) {
            throw RedisError.SYNTAX;
        }
        List<Element> elements = new ArrayList<>();
        for (; at < call.size(); at += 3) {
            elements.add(new Element(Units.point(call, at).score(), call.word(at + 2)));
        }
        if (elements.isEmpty()) {
            throw RedisError.SYNTAX;
        }
        AddOutcome outcome = sets.add(call.space(), call.key(1), new AddRules(!xx, !nx, false, false, false), elements);
        return Reply.of(outcome.added() + (ch ? outcome.updated() : 0));
    }

    private Reply geoDist(Call call) {
        if (call.size() > 5) {
            throw RedisError.SYNTAX;
        }
        double unit = call.size() == 5 ? Units.metres(call, 4) : 1;
        Optional<GeoPoint> from = geo.position(call.space(), call.key(1), call.word(2));
        Optional<GeoPoint> to = geo.position(call.space(), call.key(1), call.word(3));
        if (from.isEmpty() || to.isEmpty()) {
            return Reply.ABSENT;
        }
        return Reply.of(Units.distance(from.get().metresTo(to.get()) / unit));
    }

    private Reply geoHash(Call call) {
        return each(call, Reply.ABSENT, point -> Reply.of(point.hashText()));
    }

    private Reply geoPos(Call call) {
        return each(call, Reply.ABSENT_ARRAY, GeoCommands::position);
    }

    static Reply position(GeoPoint point) {
        return Reply.many(
                new Reply.DecimalOf(Units.degrees(point.longitude())),
                new Reply.DecimalOf(Units.degrees(point.latitude())));
    }

    private Reply each(Call call, Reply absent, Function<GeoPoint, Reply> present) {
        boolean unused = call.space().collection(call.key(1), Type.ZSET).isPresent();
        List<Reply> replies = new ArrayList<>();
        for (Bytes member : call.wordsFrom(2)) {
            replies.add(
                    geo.position(call.space(), call.key(1), member).map(present).orElse(absent));
        }
        return Reply.many(replies);
    }
}
