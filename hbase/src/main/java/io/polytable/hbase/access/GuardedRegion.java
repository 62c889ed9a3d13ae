package io.polytable.hbase.access;

import io.polytable.cells.request.Edit;
import io.polytable.cells.store.CellReads;
import io.polytable.frontend.user.Privilege;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.meta.MetaTable;
import io.polytable.hbase.rpc.Client;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;

/** A region as one client may use it. */
public record GuardedRegion(Access access, Region region, Client client) {
    /** Counts read requests and returns the reads; of {@code hbase:meta} those that the client may see. */
    public CellReads reading(int requests) {
        CellReads reads = region.reading(requests);
        return reads instanceof MetaTable meta && !access.isFree(client)
                ? meta.shownTo(table -> access.sees(client, table))
                : reads;
    }

    public void requireRead() throws IOException {
        if (access.isFree(client)) {
            return;
        }
        TableName table = table();
        if (!Access.isForEveryone(table) && !access.allows(client, table, Privilege.SELECT)) {
            throw Denials.read(client, table);
        }
    }

    /**
     * Requires the permission to write what a mutation writes.
     *
     * @param edits those of the mutation, whose cells may be sent behind the message
     */
    public void requireWrite(MutationProto mutation, List<Edit> edits) throws IOException {
        if (access.isFree(client)) {
            return;
        }
        TableName table = table();
        for (Privilege privilege : privileges(mutation.getMutateType())) {
            if (!access.allows(client, table, privilege)) {
                throw Denials.table(client, table, families(edits), Action.WRITE);
            }
        }
    }

    /** What a mutation may replace needs UPDATE: whether there is an older value is not known before. */
    private static List<Privilege> privileges(MutationProto.MutationType type) {
        return type == MutationProto.MutationType.DELETE
                ? List.of(Privilege.DELETE)
                : List.of(Privilege.INSERT, Privilege.UPDATE);
    }

    private static String families(List<Edit> edits) {
        return edits.stream().flatMap(edit -> column(edit).stream()).collect(Collectors.joining("|"));
    }

    private static Optional<String> column(Edit edit) {
        if (edit instanceof Edit.Put put) {
            return column(put.family(), put.qualifier());
        } else if (edit instanceof Edit.Increment increment) {
            return column(increment.family(), increment.qualifier());
        } else if (edit instanceof Edit.Append append) {
            return column(append.family(), append.qualifier());
        }
        return edit instanceof Edit.Delete delete ? column(delete.family(), delete.qualifier()) : Optional.empty();
    }

    private static Optional<String> column(Bytes family, Bytes qualifier) {
        return Optional.of(family.utf8() + ":" + qualifier.utf8());
    }

    private TableName table() {
        return HBaseTypes.name(region.description().getTable());
    }
}
