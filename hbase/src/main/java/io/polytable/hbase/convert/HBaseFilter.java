package io.polytable.hbase.convert;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.FilterDecision;
import io.polytable.hbase.rpc.CallFailure;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;

/** Adapts one of HBase's filters, which runs in HBase's own class. */
public final class HBaseFilter implements CellFilter {
    private final Filter filter;

    private HBaseFilter(Filter filter) {
        this.filter = filter;
    }

    /** Decodes a client's filter. Only the filter classes that HBase ships are available. */
    public static CellFilter of(FilterProtos.Filter proto, boolean reversed) throws IOException {
        Filter filter;
        try {
            filter = ProtobufUtil.toFilter(proto);
        } catch (IOException | RuntimeException | LinkageError unknown) {
            throw new DoNotRetryIOException(
                    "The filter " + proto.getName() + " is not one of HBase's own, or cannot be read: " + unknown);
        }
        filter = FilterReplacements.of(filter, reversed);
        if (reversed) {
            filter.setReversed(true);
        }
        return new HBaseFilter(filter);
    }

    @Override
    public void reset() {
        CallFailure.run(filter::reset);
    }

    @Override
    public boolean isDone() {
        return CallFailure.of(filter::filterAllRemaining);
    }

    @Override
    public boolean rejectsRowKey(Cell first) {
        return CallFailure.of(() -> filter.filterRowKey(new StoredCell(first)));
    }

    @Override
    public FilterDecision filter(Cell cell) {
        return switch (CallFailure.of(() -> filter.filterCell(new StoredCell(cell)))) {
            case INCLUDE -> FilterDecision.INCLUDE;
            case INCLUDE_AND_NEXT_COL -> FilterDecision.INCLUDE_AND_NEXT_COLUMN;
            case INCLUDE_AND_SEEK_NEXT_ROW -> FilterDecision.INCLUDE_AND_NEXT_ROW;
            case SKIP -> FilterDecision.SKIP;
            case NEXT_COL -> FilterDecision.NEXT_COLUMN;
            case NEXT_ROW -> FilterDecision.NEXT_ROW;
            case SEEK_NEXT_USING_HINT -> FilterDecision.SEEK;
        };
    }

    @Override
    public Cell transform(Cell cell) {
        return HBaseTypes.cell(CallFailure.of(() -> filter.transformCell(new StoredCell(cell))), cell.ttlMillis());
    }

    @Override
    public Optional<CellPosition> hint(Cell cell) {
        org.apache.hadoop.hbase.Cell hint = CallFailure.of(() -> filter.getNextCellHint(new StoredCell(cell)));
        return Optional.ofNullable(hint)
                .map(found -> new CellPosition(
                        HBaseTypes.row(found),
                        HBaseTypes.family(found),
                        HBaseTypes.qualifier(found),
                        found.getTimestamp(),
                        HBaseTypes.typeCode(found)));
    }

    @Override
    public boolean looksAtRows() {
        return filter.hasFilterRow();
    }

    @Override
    public void filterRowCells(List<Cell> cells) {
        List<org.apache.hadoop.hbase.Cell> shown = new ArrayList<>(cells.size());
        cells.forEach(cell -> shown.add(new StoredCell(cell)));
        CallFailure.run(() -> filter.filterRowCells(shown));
        cells.clear();
        shown.forEach(cell -> cells.add(HBaseTypes.cell(cell, Cell.NO_TTL)));
    }

    @Override
    public boolean rejectsRow() {
        return CallFailure.of(filter::filterRow);
    }

    @Override
    public boolean needsFamily(Bytes family) {
        return CallFailure.of(() -> filter.isFamilyEssential(family.toByteArray()));
    }
}
