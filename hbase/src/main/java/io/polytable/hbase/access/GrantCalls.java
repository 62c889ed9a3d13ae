package io.polytable.hbase.access;

import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.Grant;
import io.polytable.frontend.user.Grants;
import io.polytable.frontend.user.Privilege;
import io.polytable.frontend.user.Scope;
import io.polytable.frontend.user.Users;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.Method;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.NamespacePermission;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.ShadedAccessControlUtil;
import org.apache.hadoop.hbase.security.access.TablePermission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AccessControlProtos.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AccessControlProtos.GetUserPermissionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AccessControlProtos.GrantRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AccessControlProtos.GrantResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AccessControlProtos.HasUserPermissionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AccessControlProtos.HasUserPermissionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AccessControlProtos.RevokeRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AccessControlProtos.RevokeResponse;

/** HBase's calls to grant, revoke and list permissions. */
public final class GrantCalls {
    private final Access access;
    private final Predicate<TableName> isTable;
    private final Predicate<String> isSuperuser;

    /** @param isSuperuser whether a user of this name needs no grants */
    public GrantCalls(Access access, Predicate<TableName> isTable, Predicate<String> isSuperuser) {
        this.access = access;
        this.isTable = isTable;
        this.isSuperuser = isSuperuser;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.of("Grant", GrantRequest.parser(), this::grant),
                Method.of("Revoke", RevokeRequest.parser(), this::revoke),
                Method.of("GetUserPermissions", GetUserPermissionsRequest.parser(), this::list),
                Method.of("HasUserPermissions", HasUserPermissionsRequest.parser(), this::has));
    }

    private Grants grants() throws DoNotRetryIOException {
        return access.grants()
                .orElseThrow(() -> new DoNotRetryIOException(new UnsupportedOperationException(
                        "org.apache.hadoop.hbase.security.access.AccessController is not loaded")));
    }

    private GrantResponse grant(GrantRequest request, Call call) throws IOException {
        Grants grants = grants();
        UserPermission asked = ShadedAccessControlUtil.toUserPermission(request.getUserPermission());
        Scope scope = requireGrantor(call.client(), asked);
        Set<Privilege> privileges = privileges(asked.getPermission().getActions());
        String user = asked.getUser();
        changed(() -> {
            grants.grant(by(call), List.of(user), scope, privileges);
            if (!request.getMergeExistingPermissions()) {
                grants.revoke(by(call), List.of(user), scope, EnumSet.complementOf(copy(privileges)));
            }
        });
        return GrantResponse.getDefaultInstance();
    }

    /** Without actions it removes all, as in HBase. */
    private RevokeResponse revoke(RevokeRequest request, Call call) throws IOException {
        Grants grants = grants();
        UserPermission asked = ShadedAccessControlUtil.toUserPermission(request.getUserPermission());
        Scope scope = requireGrantor(call.client(), asked);
        Set<Privilege> privileges = privileges(asked.getPermission().getActions());
        Set<Privilege> removed = privileges.isEmpty() ? EnumSet.allOf(Privilege.class) : privileges;
        changed(() -> grants.revoke(by(call), List.of(asked.getUser()), scope, removed));
        return RevokeResponse.getDefaultInstance();
    }

    private static Actor by(Call call) {
        return Actor.of(call.client().session());
    }

    private static EnumSet<Privilege> copy(Set<Privilege> privileges) {
        EnumSet<Privilege> copy = EnumSet.noneOf(Privilege.class);
        copy.addAll(privileges);
        return copy;
    }

    private static void changed(Runnable change) throws DoNotRetryIOException {
        try {
            change.run();
        } catch (Users.RefusedChange refused) {
            throw new DoNotRetryIOException(refused.text());
        }
    }

    private static Set<Privilege> privileges(Action[] actions) {
        EnumSet<Privilege> privileges = EnumSet.noneOf(Privilege.class);
        Arrays.stream(actions).map(Access::privileges).forEach(privileges::addAll);
        return privileges;
    }

    /** Returns the scope if the client may grant and revoke in it. */
    private Scope requireGrantor(Client client, UserPermission asked) throws IOException {
        Scope scope = scope(asked.getPermission());
        requireAdmin(client, scope);
        if (!access.isFree(client) && isSuperuser.test(asked.getUser())) {
            throw new AccessDeniedException(
                    "Granting or revoking superusers's or supergroups's permissions is not allowed");
        }
        if (scope instanceof Scope.OfTable one && !isTable.test(one.table())) {
            throw new TableNotFoundException(HBaseTypes.hbaseName(one.table()));
        }
        return scope;
    }

    private void requireAdmin(Client client, Scope scope) throws IOException {
        if (scope instanceof Scope.OfTable one) {
            access.requireAny(client, one.table(), Rules.ADMIN);
        } else if (scope instanceof Scope.OfNamespace namespace) {
            access.requireNamespace(client, namespace.namespace(), "", Rules.ADMIN);
        } else {
            access.requireGlobal(client, Action.ADMIN);
        }
    }

    private static Scope scope(Permission permission) throws DoNotRetryIOException {
        if (permission instanceof TablePermission table) {
            if (table.hasFamily() || table.hasQualifier()) {
                throw new DoNotRetryIOException(
                        "Permissions on families and columns are not supported; grant them on the table");
            }
            return new Scope.OfTable(HBaseTypes.name(table.getTableName()));
        }
        return permission instanceof NamespacePermission namespace
                ? new Scope.OfNamespace(namespace.getNamespace())
                : new Scope.Everything();
    }

    private GetUserPermissionsResponse list(GetUserPermissionsRequest request, Call call) throws IOException {
        Grants grants = grants();
        Scope scope = scope(request);
        requireAdmin(call.client(), scope);
        String only = request.getUserName().toStringUtf8();
        List<UserPermission> found = new ArrayList<>();
        for (Grant grant : grants.all()) {
            // There are none on families.
            boolean matches =
                    grant.scope().equals(scope) && request.getColumnFamily().isEmpty();
            if (matches && (only.isEmpty() || grant.grantee().equals(only))) {
                permission(grant.scope(), grant.privileges())
                        .ifPresent(permission -> found.add(new UserPermission(grant.grantee(), permission)));
            }
        }
        return ShadedAccessControlUtil.buildGetUserPermissionsResponse(found);
    }

    private static Scope scope(GetUserPermissionsRequest request) {
        return switch (request.getType()) {
            case Table -> new Scope.OfTable(HBaseTypes.name(request.getTableName()));
            case Namespace -> new Scope.OfNamespace(request.getNamespaceName().toStringUtf8());
            case Global -> new Scope.Everything();
        };
    }

    /** What HBase's words can say of the privileges: WRITE only if all of it was granted. */
    private static Optional<Permission> permission(Scope scope, Set<Privilege> privileges) {
        Action[] actions = Arrays.stream(Action.values())
                .filter(action -> privileges.containsAll(Access.privileges(action)))
                .toArray(Action[]::new);
        if (actions.length == 0) {
            return Optional.empty();
        }
        if (scope instanceof Scope.OfTable one) {
            return Optional.of(Permission.newBuilder(HBaseTypes.hbaseName(one.table()))
                    .withActions(actions)
                    .build());
        }
        return Optional.of(
                scope instanceof Scope.OfNamespace namespace
                        ? Permission.newBuilder(namespace.namespace())
                                .withActions(actions)
                                .build()
                        : Permission.newBuilder().withActions(actions).build());
    }

    /** Everyone may ask about themselves, administrators about anyone. */
    private HasUserPermissionsResponse has(HasUserPermissionsRequest request, Call call) throws IOException {
        Grants grants = grants();
        String user = request.getUserName().toStringUtf8();
        boolean isSelf = user.isEmpty() || user.equals(call.client().name());
        HasUserPermissionsResponse.Builder response = HasUserPermissionsResponse.newBuilder();
        for (var asked : request.getPermissionList()) {
            Permission permission = ShadedAccessControlUtil.toPermission(asked);
            Scope scope = scope(permission);
            if (!isSelf) {
                requireAdmin(call.client(), scope);
            }
            boolean granted = isSelf
                    ? Arrays.stream(permission.getActions())
                            .allMatch(action -> access.allows(call.client(), scope, action))
                    : isSuperuser.test(user) || isGranted(grants, user, scope, permission);
            response.addHasUserPermission(granted);
        }
        return response.build();
    }

    private static boolean isGranted(Grants grants, String user, Scope scope, Permission permission) {
        return privileges(permission.getActions()).stream()
                .allMatch(privilege -> grants.of(user).stream()
                        .anyMatch(grant -> grant.privileges().contains(privilege) && covers(grant.scope(), scope)));
    }

    private static boolean covers(Scope wide, Scope narrow) {
        if (narrow instanceof Scope.OfTable one) {
            return wide.contains(one.table());
        }
        return wide instanceof Scope.Everything || wide.equals(narrow);
    }
}
