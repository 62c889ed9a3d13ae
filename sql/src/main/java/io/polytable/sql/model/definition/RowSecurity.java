package io.polytable.sql.model.definition;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The row policies of a table, immutable. Policies of a table whose row security is disabled have no effect.
 *
 * @param policies in the order in which they were created
 */
public record RowSecurity(boolean enabled, List<PolicyDef> policies) {
    public static final RowSecurity NONE = new RowSecurity(false, List.of());

    public RowSecurity {
        policies = List.copyOf(policies);
    }

    public Optional<PolicyDef> policy(String name) {
        return policies.stream().filter(policy -> policy.name().equals(name)).findFirst();
    }

    public RowSecurity enabled(boolean on) {
        return new RowSecurity(on, policies);
    }

    public RowSecurity with(PolicyDef policy) {
        return new RowSecurity(
                enabled, Stream.concat(policies.stream(), Stream.of(policy)).toList());
    }

    public RowSecurity without(String name) {
        return new RowSecurity(
                enabled,
                policies.stream().filter(policy -> !policy.name().equals(name)).toList());
    }

    public RowSecurity with(String name, UnaryOperator<PolicyDef> change) {
        return new RowSecurity(
                enabled,
                policies.stream()
                        .map(policy -> policy.name().equals(name) ? change.apply(policy) : policy)
                        .toList());
    }

    /** The texts of all conditions. */
    public Stream<String> conditions() {
        return policies.stream()
                .flatMap(policy -> Stream.of(policy.using(), policy.check()).flatMap(Optional::stream));
    }
}
