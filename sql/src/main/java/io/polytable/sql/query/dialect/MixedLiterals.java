package io.polytable.sql.query.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes quoted dates as DuckDB reads them where they are compared with a date or timestamp: {@code DATE '...' IN ('20240105')}. */
final class MixedLiterals {
    private static final Set<String> TYPES = Set.of("date", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "timestamptz");

    private MixedLiterals() {}

    /** @param node a comparison, BETWEEN, or IN with a list */
    static void apply(ObjectNode node) {
        List<JsonNode> operands = new ArrayList<>();
        for (String field : List.of("left", "right", "input", "lower", "upper")) {
            operands.add(node.path(field));
        }
        if (node.path("children") instanceof ArrayNode children) {
            children.forEach(operands::add);
        }
        String type = "";
        for (JsonNode operand : operands) {
            String name = operand.path("type_expr").path("type_name").asText();
            type = TYPES.contains(name) ? name : type;
        }
        if (type.isEmpty()) {
            return;
        }
        for (JsonNode operand : operands) {
            if (Dialect.isConstant(operand, "STRING")) {
                Dialect.literal((ObjectNode) operand.path("literal"), type);
            }
        }
    }
}
