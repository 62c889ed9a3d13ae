package io.polytable.hbase.convert;

import io.polytable.cells.CellKind;
import io.polytable.cells.TimeRange;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Converts bytes, names, time ranges and single cells between HBase's types and ours. */
public final class HBaseTypes {
    private HBaseTypes() {}

    public static Bytes bytes(ByteString string) {
        return string.isEmpty() ? Bytes.EMPTY : Bytes.of(string.toByteArray());
    }

    public static TableName name(org.apache.hadoop.hbase.TableName name) {
        return new TableName(name.getNamespaceAsString(), name.getQualifierAsString());
    }

    public static TableName name(HBaseProtos.TableName name) {
        return new TableName(
                name.getNamespace().toStringUtf8(), name.getQualifier().toStringUtf8());
    }

    public static org.apache.hadoop.hbase.TableName hbaseName(TableName name) {
        return org.apache.hadoop.hbase.TableName.valueOf(name.namespace(), name.name());
    }

    public static TimeRange times(HBaseProtos.TimeRange range) {
        return new TimeRange(
                range.hasFrom() ? Math.max(0, range.getFrom()) : 0, range.hasTo() ? range.getTo() : Long.MAX_VALUE);
    }

    public static Bytes row(Cell cell) {
        return Bytes.of(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
    }

    public static Bytes family(Cell cell) {
        return Bytes.of(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
    }

    public static Bytes qualifier(Cell cell) {
        return Bytes.of(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
    }

    public static Bytes value(Cell cell) {
        return Bytes.of(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }

    /** HBase's code of the cell's type. */
    public static int typeCode(Cell cell) {
        return (cell instanceof ExtendedCell extended
                        ? extended.getTypeByte()
                        : cell.getType().getCode())
                & 0xff;
    }

    /** Converts a cell that a filter of HBase returned, perhaps transformed. */
    static io.polytable.cells.Cell cell(Cell cell, long ttlMillis) {
        return cell instanceof StoredCell stored
                ? stored.cell()
                : new io.polytable.cells.Cell(
                        row(cell),
                        family(cell),
                        qualifier(cell),
                        cell.getTimestamp(),
                        CellKind.ofCode(typeCode(cell)),
                        value(cell),
                        ttlMillis);
    }
}
