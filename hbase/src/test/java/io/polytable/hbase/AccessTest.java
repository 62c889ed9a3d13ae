package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.hbase.access.Identities;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What HBase's client is allowed as a user who was granted little. */
class AccessTest {
    private static final byte[] F = Bytes.toBytes("f");
    private static final byte[] Q = Bytes.toBytes("q");
    private static final byte[] ROW = Bytes.toBytes("row");

    private static ServedCluster served;
    private static Connection root;
    private static Connection bob;
    private static Admin rootAdmin;
    private static Admin bobAdmin;

    private TableName name;
    private Table own;
    private Table table;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        served = ServedCluster.on(directory, options -> options.withIdentity(Identities.Source.SIMPLE));
        for (String user : List.of("bob", "eve")) {
            served.users().change(user, known -> known.withEnabled(true));
        }
        served.users().change("dora", known -> known.withEnabled(true).withRole(Role.DBA));
        root = connect("root");
        bob = connect("bob");
        rootAdmin = root.getAdmin();
        bobAdmin = bob.getAdmin();
    }

    @AfterAll
    static void stop() throws IOException {
        bob.close();
        root.close();
        served.close();
    }

    private static Connection connect(String user) throws IOException {
        Configuration configuration = served.configuration();
        return ConnectionFactory.createConnection(
                configuration, User.createUserForTesting(configuration, user, new String[0]));
    }

    @BeforeEach
    void create(TestInfo test) throws IOException {
        name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
        rootAdmin.createTable(descriptor(name), new byte[][] {Bytes.toBytes("secret")});
        own = root.getTable(name);
        own.put(put("row"));
        table = bob.getTable(name);
    }

    private static TableDescriptor descriptor(TableName name) {
        return TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build();
    }

    private static Put put(String row) {
        return new Put(Bytes.toBytes(row)).addColumn(F, Q, Q);
    }

    private void grant(Action... actions) throws IOException {
        rootAdmin.grant(new UserPermission("bob", permission(name, actions)), false);
    }

    private static Permission permission(TableName name, Action... actions) {
        return Permission.newBuilder(name).withActions(actions).build();
    }

    private static void assertDenied(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(AccessDeniedException.class).hasMessageContaining(text);
    }

    private String denied(Action action) {
        return "Insufficient permissions (user=bob, scope=default:" + name + ", family=f:q, params=[table=default:"
                + name + ",family=f:q],action=" + action + ")";
    }

    private String deniedRead() {
        return "Insufficient permissions for user 'bob' (table=" + name + ", action=READ)";
    }

    @Test
    void nothingIsAllowedWithoutAGrant() {
        assertDenied(() -> table.get(new Get(ROW)), deniedRead());
        assertDenied(() -> table.getScanner(F).next(), deniedRead());
        assertDenied(() -> table.put(put("row")), denied(Action.WRITE));
        assertDenied(() -> table.delete(new Delete(ROW).addColumns(F, Q)), denied(Action.WRITE));
        assertDenied(() -> table.increment(new Increment(ROW).addColumn(F, Q, 1)), denied(Action.WRITE));
        assertDenied(() -> table.append(new Append(ROW).addColumn(F, Q, Q)), denied(Action.WRITE));
        assertThatThrownBy(() -> table.mutateRow(RowMutations.of(List.of(put("row")))))
                .hasStackTraceContaining("Insufficient permissions");
        assertDenied(
                () -> bobAdmin.disableTable(name),
                "Insufficient permissions (user=bob, scope=default:" + name + ", params=[table=default:" + name
                        + "],action=CREATE)");
        assertDenied(() -> bobAdmin.deleteTable(name), "action=CREATE");
        assertDenied(() -> bobAdmin.getDescriptor(name), "action=CREATE");
        assertDenied(
                () -> bobAdmin.createTable(descriptor(TableName.valueOf("another"))),
                "Insufficient permissions (user=bob, scope=default, params=[namespace=default,table=default:another");
        assertDenied(
                () -> bobAdmin.createNamespace(
                        NamespaceDescriptor.create("bobs").build()),
                "Insufficient permissions for user 'bob' (global, action=ADMIN)");
        assertDenied(() -> bobAdmin.balancerSwitch(false, true), "(global, action=ADMIN)");
        assertDenied(() -> bobAdmin.snapshot("stolen", name), "action=ADMIN");
        assertDenied(() -> bobAdmin.getProcedures(), "(global, action=ADMIN)");
    }

    @Test
    void aReaderReads() throws Exception {
        grant(Action.READ);
        assertThat(table.exists(new Get(ROW))).isTrue();
        assertDenied(() -> table.put(put("row")), denied(Action.WRITE));
        Object[] results = new Object[2];
        assertThatThrownBy(() -> table.batch(List.<Row>of(new Get(ROW), put("other")), results))
                .hasStackTraceContaining(denied(Action.WRITE));
        assertThat(((Result) results[0]).isEmpty())
                .as("the other action of the batch")
                .isFalse();
        assertDenied(() -> bobAdmin.flush(name), "action=CREATE");
    }

    @Test
    void aWriterMayNotLookThroughAConditionOrABatch() throws Exception {
        grant(Action.WRITE);
        table.put(put("more"));
        table.delete(new Delete(Bytes.toBytes("more")));
        assertDenied(
                () -> table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                        .ifMatches(F, Q, CompareOperator.EQUAL, Q)
                        .build(put("row"))),
                deniedRead());
        assertThatThrownBy(() -> table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                        .ifMatches(F, Q, CompareOperator.EQUAL, Q)
                        .build(RowMutations.of(List.of(put("row"))))))
                .hasStackTraceContaining(deniedRead());
        assertThatThrownBy(() -> table.get(List.of(new Get(ROW), new Get(Q)))).hasStackTraceContaining(deniedRead());
        assertDenied(() -> table.getScanner(new Scan().setRaw(true)).next(), deniedRead());
    }

    @Test
    void aRevocationEndsOpenScannersAndAGrantNeedsNoNewConnection() throws IOException {
        List<Put> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rows.add(put("row" + i));
        }
        own.put(rows);
        grant(Action.READ);
        try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1))) {
            assertThat(scanner.next()).isNotNull();
            rootAdmin.revoke(new UserPermission("bob", permission(name, Action.READ)));
            assertDenied(
                    () -> {
                        while (scanner.next() != null) {
                            // Until what the client has prefetched is used up.
                        }
                    },
                    deniedRead());
        }
        grant(Action.READ);
        assertThat(table.exists(new Get(ROW))).isTrue();
    }

    @Test
    void metaShowsOnlyTheOwnTablesRegions() throws IOException {
        try (Table meta = bob.getTable(TableName.META_TABLE_NAME);
                ResultScanner rows = meta.getScanner(new Scan())) {
            List<String> keys = new ArrayList<>();
            rows.forEach(row -> keys.add(Bytes.toStringBinary(row.getRow())));
            assertThat(keys).contains(name.getNameAsString());
            assertThat(keys).noneMatch(key -> key.startsWith(name + ",secret"));
            assertThatThrownBy(() -> meta.put(new Put(ROW).addColumn(Bytes.toBytes("info"), Q, Q)))
                    .hasStackTraceContaining("Insufficient permissions");
        }
        assertThat(bobAdmin.listTableNames()).doesNotContain(name);
        assertThat(bobAdmin.listTableDescriptors()).isEmpty();
        assertThat(bobAdmin.listNamespaceDescriptors()).isEmpty();
        ServerName server = rootAdmin.getRegionServers().iterator().next();
        assertThat(bobAdmin.getRegions(server))
                .noneMatch(region -> region.getTable().equals(name));
        assertThat(bobAdmin.getRegionMetrics(server))
                .noneMatch(
                        metrics -> RegionInfo.getTable(metrics.getRegionName()).equals(name));
        assertThat(bobAdmin.getClusterMetrics(EnumSet.of(Option.TABLE_TO_REGIONS_COUNT))
                        .getTableRegionStatesCount())
                .doesNotContainKey(name);
        grant(Action.READ);
        assertThat(bobAdmin.listTableNames()).contains(name);
        assertThat(bobAdmin.getRegions(name)).hasSize(2);
    }

    @Test
    void permissionsAreGrantedListedAndRevoked() throws IOException {
        assertThat(rootAdmin.getSecurityCapabilities()).contains(SecurityCapability.AUTHORIZATION);
        grant(Action.READ, Action.WRITE);
        GetUserPermissionsRequest ofTable =
                GetUserPermissionsRequest.newBuilder(name).build();
        assertThat(rootAdmin.getUserPermissions(ofTable))
                .containsExactly(new UserPermission("bob", permission(name, Action.READ, Action.WRITE)));
        rootAdmin.grant(new UserPermission("bob", permission(name, Action.EXEC)), true);
        assertThat(rootAdmin.hasUserPermissions(
                        "bob", List.of(permission(name, Action.EXEC, Action.READ), permission(name, Action.ADMIN))))
                .containsExactly(true, false);
        assertThat(bobAdmin.hasUserPermissions(List.of(permission(name, Action.WRITE))))
                .containsExactly(true);
        rootAdmin.grant(new UserPermission("bob", permission(name, Action.READ)), false);
        assertThat(rootAdmin.getUserPermissions(ofTable))
                .containsExactly(new UserPermission("bob", permission(name, Action.READ)));
        UserPermission toEve = new UserPermission("eve", permission(name, Action.READ));
        assertDenied(() -> bobAdmin.grant(toEve, false), "action=ADMIN");
        assertDenied(() -> bobAdmin.getUserPermissions(ofTable), "action=ADMIN");
        assertDenied(() -> bobAdmin.hasUserPermissions("eve", List.of(permission(name, Action.READ))), "action=ADMIN");
        grant(Action.ADMIN);
        bobAdmin.grant(toEve, false);
        assertDenied(
                () -> bobAdmin.grant(new UserPermission("dora", permission(name, Action.READ)), false),
                "Granting or revoking superusers's or supergroups's permissions is not allowed");
        assertThatThrownBy(() -> rootAdmin.grant(new UserPermission("nobody", permission(name, Action.READ)), false))
                .hasStackTraceContaining("role \"nobody\" does not exist");
        Permission onFamily = Permission.newBuilder(name)
                .withFamily(F)
                .withActions(Action.READ)
                .build();
        assertThatThrownBy(() -> rootAdmin.grant(new UserPermission("bob", onFamily), false))
                .hasStackTraceContaining("Permissions on families and columns are not supported");
        rootAdmin.revoke(new UserPermission("eve", Permission.newBuilder(name).build()));
        assertThat(rootAdmin.getUserPermissions(GetUserPermissionsRequest.newBuilder(name)
                        .withUserName("eve")
                        .build()))
                .isEmpty();
    }

    @Test
    void aTableBelongsToItsCreatorAndItsGrantsGoWithIt() throws IOException {
        rootAdmin.createNamespace(NamespaceDescriptor.create("shared").build());
        Permission creates =
                Permission.newBuilder("shared").withActions(Action.CREATE).build();
        rootAdmin.grant(new UserPermission("bob", creates), false);
        TableName created = TableName.valueOf("shared:bobs");
        bobAdmin.createTable(descriptor(created));
        try (Table bobs = bob.getTable(created)) {
            bobs.put(put("row"));
            assertThat(bobs.exists(new Get(ROW))).isTrue();
        }
        bobAdmin.snapshot("of-bobs", created);
        assertThat(bobAdmin.listSnapshots()).hasSize(1);
        assertDenied(() -> bobAdmin.cloneSnapshot("of-bobs", TableName.valueOf("elsewhere")), "action=CREATE");
        bobAdmin.deleteSnapshot("of-bobs");
        bobAdmin.disableTable(created);
        bobAdmin.deleteTable(created);
        rootAdmin.revoke(new UserPermission("bob", creates));
        rootAdmin.createTable(descriptor(created));
        try (Table later = bob.getTable(created)) {
            assertDenied(() -> later.get(new Get(ROW)), "(table=shared:bobs, action=READ)");
        }
    }

    @Test
    void anAdministratorNeedsNoGrantAndAnUnknownUserHasNoCalls() throws IOException {
        try (Connection dora = connect("dora");
                Table all = dora.getTable(name)) {
            assertThat(all.exists(new Get(ROW))).isTrue();
            served.users().change("dora", known -> known.withRole(Role.USER));
            assertDenied(() -> all.exists(new Get(ROW)), "action=READ");
            served.users().change("dora", known -> known.withRole(Role.DBA));
        }
        try (Connection stranger = connect("stranger");
                Table none = stranger.getTable(name)) {
            assertThatThrownBy(() -> none.get(new Get(ROW)))
                    .hasStackTraceContaining("User 'stranger' is unknown or locked");
        }
    }
}
