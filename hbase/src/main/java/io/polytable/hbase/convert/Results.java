package io.polytable.hbase.convert;

import io.polytable.cells.Cell;
import io.polytable.hbase.rpc.Client;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * Collects the cells of a response. Messages contain their counts and a cell block follows; for clients without a
 * codec, messages contain the cells themselves.
 */
public final class Results {
    private final boolean carried;
    private final List<StoredCell> cells = new ArrayList<>();

    public Results(Client client) {
        carried = client.takesCellBlocks();
    }

    public boolean areCarried() {
        return carried;
    }

    public ClientProtos.Result of(List<Cell> result, boolean partial) {
        ClientProtos.Result.Builder message = ClientProtos.Result.newBuilder();
        if (partial) {
            message.setPartial(true);
        }
        if (carried) {
            carry(result);
            return message.setAssociatedCellCount(result.size()).build();
        }
        for (Cell cell : result) {
            message.addCell(ProtobufUtil.toCell(new StoredCell(cell), false));
        }
        return message.build();
    }

    /** Adds cells to the cell block; the caller counts them in its message. */
    public void carry(List<Cell> result) {
        for (Cell cell : result) {
            cells.add(new StoredCell(cell));
        }
    }

    public List<StoredCell> cells() {
        return cells;
    }
}
