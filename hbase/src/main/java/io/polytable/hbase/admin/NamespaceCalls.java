package io.polytable.hbase.admin;

import io.polytable.hbase.access.Access;
import io.polytable.hbase.catalog.Namespaces;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetNamespaceDescriptorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetNamespaceDescriptorResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespaceDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespaceDescriptorsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespacesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespacesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyNamespaceResponse;

/** The calls on namespaces. */
final class NamespaceCalls {
    private final Namespaces namespaces;
    private final Procedures procedures;
    private final Access access;

    NamespaceCalls(Namespaces namespaces, Procedures procedures, Access access) {
        this.namespaces = namespaces;
        this.procedures = procedures;
        this.access = access;
    }

    List<Method<?>> methods() {
        return List.of(
                Method.of("CreateNamespace", CreateNamespaceRequest.parser(), this::create),
                Method.of("ModifyNamespace", ModifyNamespaceRequest.parser(), this::modify),
                Method.of("DeleteNamespace", DeleteNamespaceRequest.parser(), this::delete),
                Method.of("GetNamespaceDescriptor", GetNamespaceDescriptorRequest.parser(), this::get),
                Method.of("ListNamespaceDescriptors", ListNamespaceDescriptorsRequest.parser(), this::descriptors),
                Method.of("ListNamespaces", ListNamespacesRequest.parser(), this::names));
    }

    private CreateNamespaceResponse create(CreateNamespaceRequest request, Call call) throws IOException {
        NamespaceDescriptor namespace = ProtobufUtil.toNamespaceDescriptor(request.getNamespaceDescriptor());
        long id = procedures.run(
                ProcedureKind.createNamespace(request.getNamespaceDescriptor()),
                request.getNonceGroup(),
                request.getNonce(),
                () -> namespaces.create(namespace));
        return CreateNamespaceResponse.newBuilder().setProcId(id).build();
    }

    private ModifyNamespaceResponse modify(ModifyNamespaceRequest request, Call call) throws IOException {
        NamespaceDescriptor namespace = ProtobufUtil.toNamespaceDescriptor(request.getNamespaceDescriptor());
        long id = procedures.run(
                ProcedureKind.modifyNamespace(request.getNamespaceDescriptor()),
                request.getNonceGroup(),
                request.getNonce(),
                () -> namespaces.modify(namespace));
        return ModifyNamespaceResponse.newBuilder().setProcId(id).build();
    }

    private DeleteNamespaceResponse delete(DeleteNamespaceRequest request, Call call) throws IOException {
        String name = request.getNamespaceName();
        long id =
                procedures.run(ProcedureKind.deleteNamespace(name), request.getNonceGroup(), request.getNonce(), () -> {
                    namespaces.delete(name);
                    access.droppedNamespace(name);
                });
        return DeleteNamespaceResponse.newBuilder().setProcId(id).build();
    }

    private GetNamespaceDescriptorResponse get(GetNamespaceDescriptorRequest request, Call call) throws IOException {
        return GetNamespaceDescriptorResponse.newBuilder()
                .setNamespaceDescriptor(
                        ProtobufUtil.toProtoNamespaceDescriptor(namespaces.get(request.getNamespaceName())))
                .build();
    }

    private ListNamespaceDescriptorsResponse descriptors(ListNamespaceDescriptorsRequest request, Call call) {
        ListNamespaceDescriptorsResponse.Builder response = ListNamespaceDescriptorsResponse.newBuilder();
        namespaces
                .all()
                .forEach(namespace ->
                        response.addNamespaceDescriptor(ProtobufUtil.toProtoNamespaceDescriptor(namespace)));
        return response.build();
    }

    private ListNamespacesResponse names(ListNamespacesRequest request, Call call) {
        ListNamespacesResponse.Builder response = ListNamespacesResponse.newBuilder();
        namespaces.all().forEach(namespace -> response.addNamespaceName(namespace.getName()));
        return response.build();
    }
}
