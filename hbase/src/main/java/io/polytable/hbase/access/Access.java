package io.polytable.hbase.access;

import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.Grants;
import io.polytable.frontend.user.Privilege;
import io.polytable.frontend.user.Scope;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.meta.MetaTable;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.rpc.Client;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/** Decides what a client may do. Every decision is about the grants as they are at that moment. */
public final class Access {
    /** Everybody may do everything. */
    public static final Access OPEN = new Access(Optional.empty());

    static final Set<Privilege> WRITES = Set.of(Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE);

    private final Optional<Grants> grants;

    private Access(Optional<Grants> grants) {
        this.grants = grants;
    }

    public static Access by(Grants grants) {
        return new Access(Optional.of(grants));
    }

    /** Whether users are distinguished. */
    public boolean isEnforced() {
        return grants.isPresent();
    }

    Optional<Grants> grants() {
        return grants;
    }

    /** Whether the client may do everything without a grant. */
    boolean isFree(Client client) {
        return grants.isEmpty() || Grants.needsNoGrants(client.principal());
    }

    static Set<Privilege> privileges(Action action) {
        return switch (action) {
            case READ -> EnumSet.of(Privilege.SELECT);
            case WRITE -> WRITES;
            case EXEC -> EnumSet.of(Privilege.EXECUTE);
            case CREATE -> EnumSet.of(Privilege.CREATE);
            case ADMIN -> EnumSet.of(Privilege.ADMIN);
        };
    }

    boolean allows(Client client, Scope scope, Action action) {
        return isFree(client)
                || privileges(action).stream()
                        .allMatch(privilege -> grants.orElseThrow().allows(client.principal(), privilege, scope));
    }

    boolean allows(Client client, TableName table, Privilege privilege) {
        return isFree(client) || grants.orElseThrow().allows(client.principal(), privilege, table);
    }

    /** Whether the client may know what the table's regions are. */
    boolean sees(Client client, TableName table) {
        return isFree(client) || isForEveryone(table) || grants.orElseThrow().allowsAny(client.principal(), table);
    }

    /** As in HBase everyone reads {@code hbase:meta}; it shows each client its own tables. */
    static boolean isForEveryone(TableName table) {
        return table.equals(MetaTable.NAME);
    }

    /** Requires one of the actions on the table. */
    void requireAny(Client client, TableName table, List<Action> actions) throws IOException {
        Scope scope = new Scope.OfTable(table);
        if (actions.stream().noneMatch(action -> allows(client, scope, action))) {
            throw Denials.table(client, table, "", actions.get(actions.size() - 1));
        }
    }

    void requireNamespace(Client client, String namespace, String more, List<Action> actions) throws IOException {
        Scope scope = new Scope.OfNamespace(namespace);
        if (actions.stream().noneMatch(action -> allows(client, scope, action))) {
            throw Denials.namespace(client, namespace, more, actions.get(actions.size() - 1));
        }
    }

    void requireGlobal(Client client, Action action) throws IOException {
        if (!allows(client, new Scope.Everything(), action)) {
            throw Denials.global(client, action);
        }
    }

    void requireSeen(Client client, TableName table) throws IOException {
        if (!sees(client, table)) {
            throw Denials.read(client, table);
        }
    }

    /** The region that a client addresses, as that client may use it. */
    public GuardedRegion region(ServedRegions regions, RegionSpecifier specifier, Client client) throws IOException {
        try {
            return new GuardedRegion(this, regions.region(specifier), client);
        } catch (NotServingRegionException unknown) {
            Region hidden = hidden(client, specifier).orElseThrow(() -> unknown);
            return new GuardedRegion(this, hidden, client);
        }
    }

    /** The region, as the client may use it. */
    public GuardedRegion region(Region region, Client client) {
        return new GuardedRegion(this, region, client);
    }

    /**
     * A client that may not see a table's regions knows one that stands for all of them. It has no rows, and the client has
     * no permission for any call on it.
     */
    private Optional<Region> hidden(Client client, RegionSpecifier specifier) {
        byte[] name = specifier.getValue().toByteArray();
        if (isFree(client) || specifier.getType() != RegionSpecifierType.REGION_NAME || !isRegionName(name)) {
            return Optional.empty();
        }
        org.apache.hadoop.hbase.TableName table = RegionInfo.getTable(name);
        return sees(client, HBaseTypes.name(table)) ? Optional.empty() : Optional.of(MetaTable.hiddenRegion(table));
    }

    private static boolean isRegionName(byte[] name) {
        try {
            return RegionInfo.parseRegionName(name).length > 0;
        } catch (IOException other) {
            return false;
        }
    }

    /** The client that has created the table gets all privileges on it, as in HBase. */
    public void created(Client client, TableName table) {
        if (!isFree(client)) {
            grants.orElseThrow()
                    .grant(
                            Actor.of(client.session()),
                            List.of(client.name()),
                            new Scope.OfTable(table),
                            EnumSet.allOf(Privilege.class));
        }
    }

    /** A later table of this name is another. */
    public void dropped(TableName table) {
        grants.ifPresent(all -> all.forget(scope -> scope.equals(new Scope.OfTable(table))));
    }

    /** A later namespace of this name is another. */
    public void droppedNamespace(String namespace) {
        grants.ifPresent(all -> all.forget(scope -> scope.equals(new Scope.OfNamespace(namespace))));
    }
}
