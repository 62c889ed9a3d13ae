package io.polytable.frontend.http;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All routes, found by exact path or else by the longest prefix, then by method. */
public final class Routes {
    private final Map<String, Map<HttpMethod, Route>> byPath = new HashMap<>();

    public Routes(List<Route> routes) {
        for (Route route : routes) {
            Route other = byPath.computeIfAbsent(route.path(), path -> new EnumMap<>(HttpMethod.class))
                    .put(route.method(), route);
            if (other != null) {
                throw new IllegalStateException("Two routes for " + route.method() + " " + route.path());
            }
        }
    }

    /** The result of a lookup. */
    public sealed interface Match {
        record Found(Route route) implements Match {}

        record WrongMethod(Set<HttpMethod> allowed) implements Match {}

        record UnknownPath() implements Match {}
    }

    /** Takes the method as text, since a client may send any. */
    public Match match(String method, String path) {
        Map<HttpMethod, Route> routes = byPath.getOrDefault(path, below(path));
        if (routes.isEmpty()) {
            return new Match.UnknownPath();
        }
        String asked = method.equals("HEAD") ? HttpMethod.GET.name() : method;
        return routes.values().stream()
                .filter(route -> route.method().name().equals(asked))
                .findFirst()
                .<Match>map(Match.Found::new)
                .orElseGet(() -> new Match.WrongMethod(Set.copyOf(routes.keySet())));
    }

    /** The routes of the longest matching prefix. */
    private Map<HttpMethod, Route> below(String path) {
        for (int slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
            Map<HttpMethod, Route> routes = byPath.get(path.substring(0, slash) + Route.BELOW);
            if (routes != null) {
                return routes;
            }
        }
        return Map.of();
    }
}
