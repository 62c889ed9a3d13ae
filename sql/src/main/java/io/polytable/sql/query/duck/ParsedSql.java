package io.polytable.sql.query.duck;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;

/** DuckDB's parser: converts a query's text to a parse tree and back. */
public final class ParsedSql {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SERIALIZE = "SELECT json_serialize_sql(CAST(? AS VARCHAR))";
    private static final String DESERIALIZE = "SELECT json_deserialize_sql(CAST(? AS JSON))";

    private final DuckDBConnection connection;
    private final Cancellation cancellation;

    /** @param cancellation checked before and after each call: DuckDB's parser itself cannot be stopped */
    public ParsedSql(DuckDBConnection connection, Cancellation cancellation) {
        this.connection = connection;
        this.cancellation = cancellation;
    }

    /** The parse tree of one SELECT. */
    public ObjectNode parse(String sql) {
        ObjectNode root = tree(ask(SERIALIZE, sql));
        if (root.path("error").asBoolean()) {
            throw error(root, sql);
        }
        if (root.get("statements").size() != 1) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "one statement is allowed here");
        }
        return root;
    }

    public String text(ObjectNode root) {
        return ask(DESERIALIZE, root.toString());
    }

    private static ObjectNode tree(String json) {
        try {
            return (ObjectNode) MAPPER.readTree(json);
        } catch (StreamConstraintsException tooDeep) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "the statement is nested too deeply");
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("DuckDB's parser answered something else than JSON", impossible);
        }
    }

    private static SqlError error(ObjectNode root, String sql) {
        String message = root.path("error_message").asText();
        if (root.path("error_type").asText().equals("not implemented")) {
            return new SqlError(SqlCode.NOT_ALLOWED, "only SELECT is allowed here");
        }
        int bytes = root.path("position").asInt(-1);
        int at = bytes < 0 ? SqlError.NOWHERE : Offsets.chars(sql, bytes);
        SqlCode code = message.startsWith("Duplicate CTE name") ? SqlCode.DUPLICATE_ALIAS : SqlCode.SYNTAX_ERROR;
        return new SqlError(code, message.replaceFirst("\n[\\s\\S]*", ""), at);
    }

    private String ask(String question, String text) {
        cancellation.checkNow();
        try (PreparedStatement statement = connection.prepareStatement(question)) {
            statement.setString(1, text);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getString(1);
            }
        } catch (SQLException failure) {
            throw DuckErrors.of(reason(question, text, failure), text);
        }
    }

    /** Asks again without streaming: the driver loses the reason if a streamed query fails. */
    private SQLException reason(String question, String text, SQLException failure) {
        try (PreparedStatement again = connection.prepareStatement(question)) {
            again.setString(1, text);
            again.unwrap(DuckDBPreparedStatement.class).query().close();
            return failure;
        } catch (SQLException reason) {
            return reason;
        }
    }

    public int charOffset(String sql, int bytes) {
        return Offsets.chars(sql, bytes);
    }

    /** DuckDB's positions are byte offsets, ours character offsets. */
    static final class Offsets {
        private Offsets() {}

        static int chars(String sql, int bytes) {
            byte[] utf8 = sql.getBytes(StandardCharsets.UTF_8);
            return utf8.length == sql.length()
                    ? bytes
                    : new String(utf8, 0, Math.min(bytes, utf8.length), StandardCharsets.UTF_8).length();
        }
    }
}
