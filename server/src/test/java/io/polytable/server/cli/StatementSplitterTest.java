package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatementSplitterTest {
    private static List<String> split(String text) throws IOException {
        StatementSplitter splitter = new StatementSplitter(new StringReader(text));
        List<String> pieces = new ArrayList<>();
        for (Optional<StatementSplitter.Piece> piece = splitter.next(); piece.isPresent(); piece = splitter.next()) {
            pieces.add(piece.get().line() + ":" + piece.get().text());
        }
        return pieces;
    }

    @Test
    void aSemicolonEndsAStatementUnlessItIsQuoted() throws IOException {
        assertThat(split("SELECT 1;\nSELECT ';', \";\" ; SELECT 'it''s;'"))
                .containsExactly("1:SELECT 1;", "1:\nSELECT ';', \";\" ;", "2: SELECT 'it''s;'");
        assertThat(split("SELECT E'\\';'; SELECT e'a''\\';b';")).hasSize(2);
        assertThat(split("SELECT $$;$$; SELECT $a$ $$;$b$ $a$; SELECT $1; SELECT 2"))
                .hasSize(4);
        assertThat(split("-- none;\n;;/* ; /* ; */ ; */ SELECT 1 -- ;\n; -- end;\n"))
                .hasSize(1);
        assertThat(split("SELECT 1/2; SELECT a-b; SELECT 2*/* ; */3;")).hasSize(3);
        assertThat(split("  \n -- nothing")).isEmpty();
    }

    @Test
    void theFirstWordsDecide() throws IOException {
        StatementSplitter splitter =
                new StatementSplitter(new StringReader("/* x */ Begin Work; ROLLBACK -- y\n TO s; 'x' begin"));
        assertThat(splitter.next().orElseThrow().words()).isEqualTo("begin work");
        assertThat(splitter.next().orElseThrow().words()).isEqualTo("rollback to s");
        assertThat(splitter.next().orElseThrow().words()).startsWith("?");
    }
}
