package io.polytable.sql.query.render;

import java.util.List;
import java.util.function.IntFunction;

/**
 * The text of a query with holes for its scans.
 *
 * @param parameters the numbers of the statement's parameters that DuckDB's parameters 1, 2, ... stand for
 */
public record Rendered(List<Piece> pieces, List<Integer> parameters) {
    public Rendered {
        pieces = List.copyOf(pieces);
        parameters = List.copyOf(parameters);
    }

    /** A part of the text. */
    public sealed interface Piece {
        record Text(String text) implements Piece {}

        /** The place of a scan, by its number in the plan. */
        record Hole(int scan) implements Piece {}
    }

    /** The whole text, with the text of each scan. */
    public String text(IntFunction<String> scans) {
        StringBuilder text = new StringBuilder();
        for (Piece piece : pieces) {
            text.append(piece instanceof Piece.Hole hole ? scans.apply(hole.scan()) : ((Piece.Text) piece).text());
        }
        return text.toString();
    }
}
