package io.polytable.frontend.user;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Principal.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A user, immutable.
 *
 * @param name unique, in any protocol
 * @param enabled whether logins are accepted; connections that are open stay
 * @param open whether every password is accepted, and none is needed
 * @param secrets each verifies one password; any of them will do
 * @param rules what the user may do in Redis, in the words of its ACL; absent if nobody said so
 * @param email empty if unknown
 * @param created when the user was added; the epoch for one that was never stored
 * @param changed when the user was last changed
 */
public record User(
        String name,
        Role role,
        boolean enabled,
        boolean open,
        List<Secret> secrets,
        Optional<String> rules,
        String email,
        Instant created,
        Instant changed) {
    /** The user of clients that have not named one. It always exists. */
    public static final String DEFAULT = "default";

    /** Longer ones cost more to verify, and protect no better. */
    public static final int PASSWORD_BYTES_MAX = 1024;

    public User {
        secrets = List.copyOf(secrets);
    }

    /** A user who can neither log in nor do anything. */
    public static User named(String name) {
        return new User(name, Role.USER, false, false, List.of(), Optional.empty(), "", Instant.EPOCH, Instant.EPOCH);
    }

    /** The default user as long as nobody changed it: it may do everything and needs no password. */
    static User initialDefault() {
        return new User(
                DEFAULT, Role.SYSTEM, true, true, List.of(), Optional.empty(), "", Instant.EPOCH, Instant.EPOCH);
    }

    /** Whether this password logs the user in. */
    public boolean accepts(byte[] password) {
        return enabled && (open || secrets.stream().anyMatch(secret -> secret.accepts(password)));
    }

    /** Whether a client is this user without a password. */
    public boolean needsNoPassword() {
        return enabled && open;
    }

    public boolean isDefault() {
        return name.equals(DEFAULT);
    }

    /** Who the sessions of this user act as. */
    public Principal principal() {
        return isDefault() ? Principal.ROOT : new Principal(name, role);
    }

    public User withRole(Role next) {
        return new User(name, next, enabled, open, secrets, rules, email, created, changed);
    }

    public User withEnabled(boolean on) {
        return new User(name, role, on, open, secrets, rules, email, created, changed);
    }

    /**
     * Makes this the only password.
     *
     * @throws Users.RefusedChange when it is empty or too long
     */
    public User withPassword(byte[] password) {
        if (password.length == 0 || password.length > PASSWORD_BYTES_MAX) {
            throw new Users.RefusedChange("a password has 1 to " + PASSWORD_BYTES_MAX + " bytes");
        }
        return withSecrets(List.of(Secret.Scram.of(password)), false);
    }

    /** Replaces all secrets; without any, the user is open or cannot log in. */
    public User withSecrets(List<Secret> next, boolean nextOpen) {
        return new User(name, role, enabled, nextOpen, next, rules, email, created, changed);
    }

    public User withEmail(String next) {
        return new User(name, role, enabled, open, secrets, rules, next, created, changed);
    }

    public User withRules(String next) {
        return new User(name, role, enabled, open, secrets, Optional.of(next), email, created, changed);
    }

    User at(Instant firstStored, Instant now) {
        return new User(name, role, enabled, open, secrets, rules, email, firstStored, now);
    }

    /** What changed, for people, without secrets; empty for no change. */
    String difference(Optional<User> before) {
        List<String> changes = new ArrayList<>();
        User old = before.orElseGet(() -> named(name));
        if (before.isEmpty() || old.role() != role) {
            changes.add("role " + role.name().toLowerCase(Locale.ROOT));
        }
        if (old.enabled() != enabled) {
            changes.add(enabled ? "unlocked" : "locked");
        }
        if (old.open() != open || !old.secrets().equals(secrets)) {
            changes.add(open ? "needs no password" : "password");
        }
        if (!old.rules().equals(rules)) {
            changes.add("rules of Redis");
        }
        if (!old.email().equals(email)) {
            changes.add("e-mail");
        }
        return String.join(", ", changes);
    }

    /** Without the secrets: it may be in logs and errors. */
    @Override
    public String toString() {
        return name + " (" + role + (enabled ? "" : ", locked") + ")";
    }
}
