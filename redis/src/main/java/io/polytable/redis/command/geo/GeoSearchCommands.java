package io.polytable.redis.command.geo;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.OW;
import static io.polytable.redis.command.KeyFlag.RO;
import static io.polytable.redis.command.KeyFlag.UPDATE;
import static io.polytable.redis.command.KeySpecs.FIRST;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.geo.GeoSearchOptions.Form;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.geo.Geo;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** GEOSEARCH, GEORADIUS and their variants, all implemented by one search. */
final class GeoSearchCommands {
    private static final KeySpecs TARGET_AND_SOURCE =
            FIRST.as(OW, UPDATE).and(KeySpecs.range(2, 2, 1).as(RO, ACCESS));

    private static final KeyEvent GEOSEARCHSTORE = SortedSets.event("geosearchstore");
    private static final KeyEvent GEORADIUSSTORE = SortedSets.event("georadiusstore");

    private final Geo geo;

    GeoSearchCommands(Geo geo) {
        this.geo = geo;
    }

    List<Command> commands() {
        return List.of(
                writes("georadius", atLeast(6), sourceAndTarget(6), call -> search(call, Form.RADIUS))
                        .with(DENYOOM),
                reads("georadius_ro", atLeast(6), FIRST, call -> search(call, Form.RADIUS_READ_ONLY)),
                writes("georadiusbymember", atLeast(5), sourceAndTarget(5), call -> search(call, Form.BY_MEMBER))
                        .with(DENYOOM),
                reads("georadiusbymember_ro", atLeast(5), FIRST, call -> search(call, Form.BY_MEMBER_READ_ONLY)),
                reads("geosearch", atLeast(7), FIRST, call -> search(call, Form.SEARCH)),
                writes("geosearchstore", atLeast(8), TARGET_AND_SOURCE, call -> search(call, Form.SEARCH_STORE))
                        .with(DENYOOM));
    }

    private static KeySpecs sourceAndTarget(int firstOption) {
        return FIRST.as(RO, ACCESS)
                .and(KeySpecs.after("STORE", firstOption).as(OW, UPDATE))
                .and(KeySpecs.after("STOREDIST", firstOption).as(OW, UPDATE));
    }

    private Reply search(Call call, Form form) {
        GeoSearchOptions options = GeoSearchOptions.read(call, geo, form);
        Geo.Search search = options.search();
        List<Geo.Hit> hits = search == null ? List.of() : geo.search(call.space(), options.source(), search);
        Bytes target = options.target();
        if (target != null) {
            Optional<Geo.StoredDistance> distance = search != null && options.storesDistance()
                    ? Optional.of(new Geo.StoredDistance(search.shape().centre(), options.unitMetres()))
                    : Optional.empty();
            KeyEvent event = form == Form.SEARCH_STORE ? GEOSEARCHSTORE : GEORADIUSSTORE;
            return Reply.of(geo.store(call.space(), target, hits, distance, event));
        }
        return Reply.many(hits.stream().map(hit -> reply(hit, options)).toList());
    }

    private static Reply reply(Geo.Hit hit, GeoSearchOptions options) {
        Reply member = Reply.of(hit.member());
        List<Reply> parts = new ArrayList<>(4);
        parts.add(member);
        if (options.withDistance()) {
            parts.add(Reply.of(Units.distance(hit.metres() / options.unitMetres())));
        }
        if (options.withHash()) {
            parts.add(Reply.of((long) hit.score()));
        }
        if (options.withPosition()) {
            parts.add(GeoCommands.position(hit.point()));
        }
        return parts.size() == 1 ? member : Reply.many(parts);
    }
}
