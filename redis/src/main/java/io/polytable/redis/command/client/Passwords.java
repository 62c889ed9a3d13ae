package io.polytable.redis.command.client;

import io.polytable.frontend.user.PasswordLogins;
import io.polytable.frontend.user.User;
import io.polytable.redis.command.Account;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Denial;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.table.Bytes;
import java.util.Optional;

/** Authentication, with the users of all protocols. */
final class Passwords {
    private static final Bytes DEFAULT_USER = Bytes.utf8(User.DEFAULT);

    private final Node node;

    Passwords(Node node) {
        this.node = node;
    }

    void authenticate(Call call, Bytes name, Bytes password) {
        PasswordLogins.Result result = node.users()
                .logins()
                .login(
                        name.utf8(),
                        password.toByteArray(),
                        "redis",
                        call.session().registered().address());
        Optional<User> user = Optional.of(result)
                .filter(PasswordLogins.Result.Accepted.class::isInstance)
                .map(accepted -> ((PasswordLogins.Result.Accepted) accepted).user())
                // A name that is not UTF-8 decodes to another one.
                .filter(found -> Bytes.utf8(found.name()).equals(name));
        Optional<Account> account = user.flatMap(found -> node.accounts().find(found.name()));
        if (user.isEmpty() || account.isEmpty()) {
            node.aclLog().add(call.session(), Denial.Kind.AUTH, Denial.Context.of(call.session()), name, call, 0);
            throw new RedisError(Code.WRONGPASS, "invalid username-password pair or user is disabled.");
        }
        call.session().authenticate(account.get(), user.get().principal());
    }

    void authenticate(Call call, Bytes password) {
        if (node.users().defaultUser().open()) {
            throw new RedisError("AUTH <password> called without any password configured for the default user. "
                    + "Are you sure your configuration is correct?");
        }
        authenticate(call, DEFAULT_USER, password);
    }
}
