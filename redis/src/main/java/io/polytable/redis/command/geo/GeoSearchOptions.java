package io.polytable.redis.command.geo;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.geo.Geo;
import io.polytable.redis.model.geo.GeoPoint;
import io.polytable.redis.model.geo.GeoShape;
import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Parses the arguments of GEOSEARCH and the older GEORADIUS: centre, extent, options and target. Errors are found in
 * Redis' order. If the source does not exist, a member as centre is not looked up, so that later syntax errors are
 * still found.
 */
final class GeoSearchOptions {
    /** The command whose arguments these are. */
    enum Form {
        RADIUS(6),
        RADIUS_READ_ONLY(6),
        BY_MEMBER(5),
        BY_MEMBER_READ_ONLY(5),
        SEARCH(2),
        SEARCH_STORE(3);

        private final int firstOption;

        Form(int firstOption) {
            this.firstOption = firstOption;
        }

        private boolean isSearch() {
            return this == SEARCH || this == SEARCH_STORE;
        }

        private boolean takesStore() {
            return this == RADIUS || this == BY_MEMBER;
        }
    }

    private final Call call;
    private final Geo geo;
    private final Form form;
    private final Bytes source;
    private final boolean present;
    private boolean centreIsMember;
    private boolean centreIsGiven;
    private @Nullable GeoPoint centre;
    private @Nullable Extent extent;
    private double unitMetres = 1;
    private boolean withDistance;
    private boolean withHash;
    private boolean withPosition;
    private boolean any;
    private long count;
    private Geo.Order order = Geo.Order.AS_FOUND;
    private @Nullable Bytes target;
    private boolean storesDistance;

    /** The extent of a search in metres: a radius, or a width and a height. */
    private record Extent(double first, double second, boolean isBox) {
        GeoShape around(GeoPoint centre) {
            return isBox ? new GeoShape.Box(centre, first, second) : new GeoShape.Circle(centre, first);
        }
    }

    private GeoSearchOptions(Call call, Geo geo, Form form) {
        this.call = call;
        this.geo = geo;
        this.form = form;
        this.source = call.key(form == Form.SEARCH_STORE ? 2 : 1);
        this.present = call.space().collection(source, Type.ZSET).isPresent();
        if (!present) {
            call.space().missed(source);
        }
    }

    static GeoSearchOptions read(Call call, Geo geo, Form form) {
        GeoSearchOptions options = new GeoSearchOptions(call, geo, form);
        options.readFixed();
        for (int at = form.firstOption; at < call.size(); at++) {
            at += options.readOption(at);
        }
        options.check();
        return options;
    }

    private void readFixed() {
        switch (form) {
            case RADIUS, RADIUS_READ_ONLY -> {
                centre = Units.point(call, 2);
                radius(4);
            }
            case BY_MEMBER, BY_MEMBER_READ_ONLY -> {
                if (present) {
                    centre = geo.centre(call.space(), source, call.word(2));
                    radius(3);
                }
            }
            case SEARCH -> {}
            case SEARCH_STORE -> target = call.key(1);
        }
    }

    private void radius(int at) {
        double radius = Units.length(call, at, "radius");
        if (radius < 0) {
            throw new RedisError("radius cannot be negative");
        }
        unitMetres = Units.metres(call, at + 1);
        extent = new Extent(radius * unitMetres, 0, false);
    }

    private void box(int at) {
        double width = Units.length(call, at, "width");
        double height = Units.length(call, at + 1, "height");
        if (width < 0 || height < 0) {
            throw new RedisError("height or width cannot be negative");
        }
        unitMetres = Units.metres(call, at + 2);
        extent = new Extent(width * unitMetres, height * unitMetres, true);
    }

    /** Parses one option; returns how many of the following words belong to it. */
    private int readOption(int at) {
        int left = call.size() - at - 1;
        if (call.is(at, "withdist")) {
            withDistance = true;
        } else if (call.is(at, "withhash")) {
            withHash = true;
        } else if (call.is(at, "withcoord")) {
            withPosition = true;
        } else if (call.is(at, "any")) {
            any = true;
        } else if (call.is(at, "asc")) {
            order = Geo.Order.NEAREST_FIRST;
        } else if (call.is(at, "desc")) {
            order = Geo.Order.FARTHEST_FIRST;
        } else if (call.is(at, "count") && left >= 1) {
            count(at + 1);
            return 1;
        } else if (form.takesStore() && (call.is(at, "store") || call.is(at, "storedist")) && left >= 1) {
            target = call.key(at + 1);
            storesDistance = call.is(at, "storedist");
            return 1;
        } else if (form.isSearch()) {
            return readSearchOption(at, left);
        } else {
            throw RedisError.SYNTAX;
        }
        return 0;
    }

    private int readSearchOption(int at, int left) {
        boolean isBox = extent != null && extent.isBox();
        if (call.is(at, "frommember") && left >= 1 && !centreIsGiven) {
            centreIsMember = true;
            if (present) {
                centre = geo.centre(call.space(), source, call.word(at + 1));
            }
            return 1;
        }
        if (call.is(at, "fromlonlat") && left >= 2 && !centreIsMember) {
            centre = Units.point(call, at + 1);
            centreIsGiven = true;
            return 2;
        }
        if (call.is(at, "byradius") && left >= 2 && !isBox) {
            radius(at + 1);
            return 2;
        }
        if (call.is(at, "bybox") && left >= 3 && (extent == null || isBox)) {
            box(at + 1);
            return 3;
        }
        if (call.is(at, "storedist") && form == Form.SEARCH_STORE) {
            storesDistance = true;
            return 0;
        }
        throw RedisError.SYNTAX;
    }

    private void count(int at) {
        count = call.integer(at);
        if (count <= 0) {
            throw new RedisError("COUNT must be > 0");
        }
    }

    private void check() {
        if (target != null && (withDistance || withHash || withPosition)) {
            String who = form == Form.SEARCH_STORE ? "GEOSEARCHSTORE" : "STORE option in GEORADIUS";
            throw new RedisError(who + " is not compatible with WITHDIST, WITHHASH and WITHCOORD options");
        }
        if (form.isSearch() && !centreIsMember && !centreIsGiven) {
            throw new RedisError("exactly one of FROMMEMBER or FROMLONLAT can be specified for " + call.text(0));
        }
        if (form.isSearch() && extent == null) {
            throw new RedisError("exactly one of BYRADIUS and BYBOX can be specified for " + call.text(0));
        }
        if (any && count == 0) {
            throw new RedisError("the ANY argument requires COUNT argument");
        }
    }

    Bytes source() {
        return source;
    }

    /** The key that stores the hits; null when they are the reply. */
    @Nullable
    Bytes target() {
        return target;
    }

    boolean storesDistance() {
        return storesDistance;
    }

    double unitMetres() {
        return unitMetres;
    }

    boolean withDistance() {
        return withDistance;
    }

    boolean withHash() {
        return withHash;
    }

    boolean withPosition() {
        return withPosition;
    }

    /** The search; null when the source does not exist. */
    Geo.@Nullable Search search() {
        GeoPoint where = centre;
        Extent far = extent;
        return !present || where == null || far == null ? null : new Geo.Search(far.around(where), order, count, any);
    }
}
