package io.polytable.server.run;

import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.Route;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.http.AdminToken;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The routes by which {@code polytable user} reaches the users of a running server: whoever can read the data directory
 * administers them, so the first password needs no password.
 *
 * @param users of the running engine, if there is one
 */
record UserRoutes(Supplier<Optional<Users>> users) {
    List<Route> routes(AdminToken token) {
        return List.of(
                route(token, "add", UserRoutes::add),
                route(token, "passwd", (all, call) -> change(all, call, user -> withPassword(call, user))),
                route(token, "role", (all, call) -> change(all, call, user -> withRole(call, user))),
                route(
                        token,
                        "lock",
                        (all, call) -> "Changed " + described(all.lock(by(call), existing(all, name(call))))),
                route(token, "unlock", (all, call) -> change(all, call, user -> user.withEnabled(true))),
                route(token, "drop", UserRoutes::drop),
                route(token, "list", (all, call) -> list(all)));
    }

    private Route route(AdminToken token, String name, BiFunction<Users, HttpRequest, String> change) {
        return Route.slowPost(AdminPaths.USER + "/" + name, token.guard(call -> answer(call, change)));
    }

    private HttpReply answer(HttpRequest call, BiFunction<Users, HttpRequest, String> change) {
        Optional<Users> running = users.get();
        if (running.isEmpty()) {
            return HttpReply.plain(503, "The server is not ready; try again");
        }
        try {
            String done = change.apply(running.get(), call);
            running.get().settle();
            return HttpReply.ok(done);
        } catch (RefusedException | Users.RefusedChange refused) {
            return HttpReply.plain(409, String.valueOf(refused.getMessage()));
        }
    }

    private static Actor by(HttpRequest call) {
        return new Actor(Principal.ROOT.name(), "admin", call.address());
    }

    private static String name(HttpRequest call) {
        return call.parameter(AdminPaths.NAME)
                .filter(name -> !name.isEmpty())
                .orElseThrow(() -> new RefusedException("A user's name must not be empty"));
    }

    private static String existing(Users users, String name) {
        if (users.find(name).isEmpty()) {
            throw new RefusedException("There is no user " + name);
        }
        return name;
    }

    private static String add(Users users, HttpRequest call) {
        String name = name(call);
        User user = users.change(by(call), name, fresh -> {
            if (users.find(name).isPresent()) {
                throw new RefusedException("There is a user " + name + " already");
            }
            User named = withRole(call, fresh.withEnabled(true))
                    .withEmail(call.parameter(AdminPaths.EMAIL).orElse(""));
            return call.body().isEmpty() ? named : withPassword(call, named);
        });
        return "Added " + described(user);
    }

    private static User withPassword(HttpRequest call, User user) {
        return user.withPassword(call.body().toByteArray());
    }

    private static User withRole(HttpRequest call, User user) {
        Optional<String> wanted = call.parameter(AdminPaths.ROLE);
        if (wanted.isEmpty()) {
            return user;
        }
        if (user.isDefault()) {
            throw new RefusedException("The role of the default user cannot be changed");
        }
        return Arrays.stream(Role.values())
                .filter(role -> role != Role.ANONYMOUS && text(role).equals(wanted.get()))
                .findFirst()
                .map(user::withRole)
                .orElseThrow(() -> new RefusedException("A role is user, service, dba or system, not " + wanted.get()));
    }

    private static String change(Users users, HttpRequest call, UnaryOperator<User> change) {
        String name = name(call);
        return "Changed "
                + described(users.change(by(call), name, user -> {
                    String unusedKnown = existing(users, name);
                    return change.apply(user);
                }));
    }

    private static String drop(Users users, HttpRequest call) {
        String name = existing(users, name(call));
        int unusedCount = users.remove(by(call), List.of(name), session -> false);
        return "Dropped " + name;
    }

    private static String list(Users users) {
        return users.all().stream().map(UserRoutes::described).collect(Collectors.joining("\n"));
    }

    private static String described(User user) {
        String password = user.open() ? "needs no password" : user.secrets().isEmpty() ? "no password" : "password";
        return user.name() + " (" + text(user.principal().role()) + ", " + password + (user.enabled() ? "" : ", locked")
                + ")";
    }

    private static String text(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
