package io.polytable.cells.store.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The stored bytes of definitions, see docs/formats/cells.md. */
class DefinitionCodecTest {
    private static final CellTableSpec SPEC =
            CellTableSpec.of(new TableName("default", "t"), FamilySpec.of("info"), FamilySpec.of("x"));

    private static final Definition UNKNOWN = new Definition(SPEC, "t.1", 7, true, Optional.empty());
    private static final Definition REMOVED =
            new Definition(SPEC, "t.1", 7, true, Optional.of(Set.of(Bytes.utf8("old"))));

    private static final String VERSION_1 = "0103742e310000000000000007" // version, physical table, time
            + "0764656661756c7401740443454c4c02" // default, t, CELL, two families
            + "04696e666f01007fffffffffffffff054e45564552044e4f4e4503524f570000" // info
            + "017801007fffffffffffffff054e45564552044e4f4e4503524f570000" // x
            + "0000"; // no attributes, no splits

    private static final String VERSION_2 = "02" + VERSION_1.substring(2) + "01036f6c64";

    @Test
    void bothVersionsAreRead() {
        assertThat(DefinitionCodec.decode(bytes(VERSION_1))).isEqualTo(UNKNOWN);
        assertThat(DefinitionCodec.decode(bytes(VERSION_2))).isEqualTo(REMOVED);
    }

    @Test
    void theBytesStayTheSame() {
        assertThat(DefinitionCodec.encode(UNKNOWN)).isEqualTo(bytes(VERSION_1));
        assertThat(DefinitionCodec.encode(REMOVED)).isEqualTo(bytes(VERSION_2));
    }

    @Test
    void anUnknownVersionAndTrailingBytesAreRefused() {
        assertThatThrownBy(() -> DefinitionCodec.decode(bytes("03" + VERSION_1.substring(2))))
                .isInstanceOf(CellException.class);
        assertThatThrownBy(() -> DefinitionCodec.decode(bytes(VERSION_1 + "00")))
                .isInstanceOf(CellException.class);
    }

    private static Bytes bytes(String hex) {
        return Bytes.of(HexFormat.of().parseHex(hex));
    }
}
