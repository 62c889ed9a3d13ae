package io.polytable.hbase.admin;

import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.HBaseTable;
import io.polytable.hbase.catalog.Namespaces;
import io.polytable.hbase.convert.Descriptors;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetSchemaAlterStatusRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetSchemaAlterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableNamesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableNamesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableStateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableStateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByStateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByStateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByStateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByStateResponse;

/** The calls that list tables, their descriptors and states. */
final class ListingCalls {
    private static final List<TableDescriptor> SYSTEM =
            ServedRegions.SPECS.stream().map(Descriptors::descriptor).toList();

    private static final String ANY = ".*";

    private final Catalog catalog;
    private final Namespaces namespaces;

    ListingCalls(Catalog catalog, Namespaces namespaces) {
        this.catalog = catalog;
        this.namespaces = namespaces;
    }

    List<Method<?>> methods() {
        return List.of(
                Method.of("GetTableDescriptors", GetTableDescriptorsRequest.parser(), this::descriptors),
                Method.of("GetTableNames", GetTableNamesRequest.parser(), this::names),
                Method.of("GetTableState", GetTableStateRequest.parser(), this::state),
                Method.of("GetSchemaAlterStatus", GetSchemaAlterStatusRequest.parser(), this::alterStatus),
                Method.of(
                        "ListTableDescriptorsByNamespace",
                        ListTableDescriptorsByNamespaceRequest.parser(),
                        this::descriptorsByNamespace),
                Method.of(
                        "ListTableNamesByNamespace", ListTableNamesByNamespaceRequest.parser(), this::namesByNamespace),
                Method.of(
                        "ListTableDescriptorsByState",
                        ListTableDescriptorsByStateRequest.parser(),
                        this::descriptorsByState),
                Method.of("ListTableNamesByState", ListTableNamesByStateRequest.parser(), this::namesByState));
    }

    private GetTableDescriptorsResponse descriptors(GetTableDescriptorsRequest request, Call call) {
        GetTableDescriptorsResponse.Builder response = GetTableDescriptorsResponse.newBuilder();
        if (request.getTableNamesCount() > 0) {
            for (HBaseProtos.TableName asked : request.getTableNamesList()) {
                TableName name = HBaseTypes.name(asked);
                select(true, table -> HBaseTypes.name(table.getTableName()).equals(name))
                        .forEach(table -> response.addTableSchema(ProtobufUtil.toTableSchema(table)));
            }
            return response.build();
        }
        boolean system = request.getIncludeSysTables();
        Predicate<TableDescriptor> wanted = matching(
                request.hasRegex() ? request.getRegex() : ANY, request.hasNamespace() ? request.getNamespace() : "");
        select(system, wanted).forEach(table -> response.addTableSchema(ProtobufUtil.toTableSchema(table)));
        return response.build();
    }

    private GetTableNamesResponse names(GetTableNamesRequest request, Call call) {
        GetTableNamesResponse.Builder response = GetTableNamesResponse.newBuilder();
        Predicate<TableDescriptor> wanted = matching(
                request.hasRegex() ? request.getRegex() : ANY, request.hasNamespace() ? request.getNamespace() : "");
        select(request.getIncludeSysTables(), wanted)
                .forEach(table -> response.addTableNames(ProtobufUtil.toProtoTableName(table.getTableName())));
        return response.build();
    }

    private List<TableDescriptor> select(boolean withSystem, Predicate<TableDescriptor> wanted) {
        List<TableDescriptor> selected = new ArrayList<>();
        if (withSystem) {
            SYSTEM.stream().filter(wanted).forEach(selected::add);
        }
        for (HBaseTable table : catalog.tables().all()) {
            boolean isSystem = table.name().namespace().equals(NamespaceDescriptor.SYSTEM_NAMESPACE_NAME_STR);
            if ((withSystem || !isSystem) && wanted.test(table.descriptor())) {
                selected.add(table.descriptor());
            }
        }
        return selected;
    }

    /** As in HBase, an empty pattern matches no table, and a pattern may match a table of the default namespace with or without the namespace. */
    private static Predicate<TableDescriptor> matching(String regex, String namespace) {
        Pattern pattern = Pattern.compile(regex);
        return table -> {
            org.apache.hadoop.hbase.TableName name = table.getTableName();
            String inDefault = name.getNamespaceAsString() + ":" + name.getQualifierAsString();
            boolean matches = pattern.matcher(name.getNameAsString()).matches()
                    || pattern.matcher(inDefault).matches();
            return matches
                    && (namespace.isEmpty() || name.getNamespaceAsString().equals(namespace));
        };
    }

    private GetTableStateResponse state(GetTableStateRequest request, Call call) throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        TableState.State state =
                ServedRegions.SPECS.stream().anyMatch(own -> own.name().equals(name))
                        ? TableState.State.ENABLED
                        : catalog.table(name).state();
        return GetTableStateResponse.newBuilder()
                .setTableState(new TableState(HBaseTypes.hbaseName(name), state).convert())
                .build();
    }

    private GetSchemaAlterStatusResponse alterStatus(GetSchemaAlterStatusRequest request, Call call)
            throws IOException {
        int regions =
                catalog.table(HBaseTypes.name(request.getTableName())).regions().size();
        return GetSchemaAlterStatusResponse.newBuilder()
                .setYetToUpdateRegions(0)
                .setTotalRegions(regions)
                .build();
    }

    private ListTableDescriptorsByNamespaceResponse descriptorsByNamespace(
            ListTableDescriptorsByNamespaceRequest request, Call call) throws IOException {
        ListTableDescriptorsByNamespaceResponse.Builder response = ListTableDescriptorsByNamespaceResponse.newBuilder();
        ofNamespace(request.getNamespaceName())
                .forEach(table -> response.addTableSchema(ProtobufUtil.toTableSchema(table)));
        return response.build();
    }

    private ListTableNamesByNamespaceResponse namesByNamespace(ListTableNamesByNamespaceRequest request, Call call)
            throws IOException {
        ListTableNamesByNamespaceResponse.Builder response = ListTableNamesByNamespaceResponse.newBuilder();
        ofNamespace(request.getNamespaceName())
                .forEach(table -> response.addTableName(ProtobufUtil.toProtoTableName(table.getTableName())));
        return response.build();
    }

    private List<TableDescriptor> ofNamespace(String namespace) throws IOException {
        namespaces.get(namespace);
        return select(true, table -> table.getTableName().getNamespaceAsString().equals(namespace));
    }

    private ListTableDescriptorsByStateResponse descriptorsByState(
            ListTableDescriptorsByStateRequest request, Call call) {
        ListTableDescriptorsByStateResponse.Builder response = ListTableDescriptorsByStateResponse.newBuilder();
        ofState(request.getIsEnabled() ? TableState.State.ENABLED : TableState.State.DISABLED)
                .forEach(table -> response.addTableSchema(ProtobufUtil.toTableSchema(table.descriptor())));
        return response.build();
    }

    private ListTableNamesByStateResponse namesByState(ListTableNamesByStateRequest request, Call call) {
        ListTableNamesByStateResponse.Builder response = ListTableNamesByStateResponse.newBuilder();
        ofState(request.getIsEnabled() ? TableState.State.ENABLED : TableState.State.DISABLED)
                .forEach(table -> response.addTableNames(ProtobufUtil.toProtoTableName(table.hbaseName())));
        return response.build();
    }

    private List<HBaseTable> ofState(TableState.State state) {
        List<HBaseTable> selected = new ArrayList<>();
        catalog.tables().all().forEach(table -> {
            if (table.state() == state) {
                selected.add(table);
            }
        });
        return selected;
    }
}
