package io.polytable.entity.ddl;

/** The output of HELP. */
final class DdlHelp {
    static final String TEXT = """
            Statements end with a semicolon; names that are keywords stand in single quotes.
              CREATE TABLE t [WITH DESCRIPTION ''] [ROW KEY FORMAT keys] [PROPERTIES (property, ...)]
                WITH LOCALITY GROUP g [WITH DESCRIPTION ''] (property, ..., family, ...), ...;
              ALTER TABLE t ADD family TO g | ADD COLUMN f:q schema | CREATE LOCALITY GROUP g (...)
                | DROP FAMILY f | DROP COLUMN f:q | DROP LOCALITY GROUP g
                | RENAME FAMILY a AS b | RENAME COLUMN f:a AS f:b | RENAME LOCALITY GROUP a AS b
                | SET DESCRIPTION = '' [FOR LOCALITY GROUP g | FAMILY f | COLUMN f:q]
                | SET group-property FOR LOCALITY GROUP g | SET table-property
                | SET SCHEMA = schema FOR COLUMN f:q | SET VALIDATION = mode [FOR FAMILY f | COLUMN f:q]
                | SET OPTION 'key' = 'value' [FOR LOCALITY GROUP g]
                | ADD | DROP [DEFAULT] [READER | WRITER | RECORDED] SCHEMA schema FOR FAMILY f | COLUMN f:q;
              DROP TABLE t; CREATE INSTANCE i [PROPERTIES ('key' = 'value')]; DROP INSTANCE i;
              USE INSTANCE i; USE DEFAULT INSTANCE; USE JAR INFILE 'file'; SHOW INSTANCES; SHOW TABLES; SHOW MODULES;
              DESCRIBE [EXTENDED] t; DESCRIBE t COLUMN f:q SHOW [n] READER | WRITER | RECORDED SCHEMAS;
              DUMP DDL [FOR TABLE t] [TO FILE 'file']; LOAD FROM FILE 'file'; HELP; QUIT;
            keys: RAW | HASHED | HASH PREFIXED(n) | (a STRING NOT NULL, b INT, c LONG, HASH(THROUGH a, SIZE = n))
            family: [GROUP TYPE] FAMILY f (q schema, ...) | MAP TYPE FAMILY f schema
            schema: "string" | {"type": ...} | AVRO type | CLASS c | ID n | COUNTER | RAW BYTES | JSON | PROTOBUF CLASS c
              behind it: WITH DESCRIPTION '' | TTL = seconds | STORAGE = UID | HASH | FINAL | VALIDATION = mode
            group properties: MAXVERSIONS = n | INFINITY, TTL = seconds | FOREVER, INMEMORY = true | false,
              COMPRESSED WITH GZIP | LZO | SNAPPY | LZ4 | ZSTD | NONE, BLOOM FILTER = NONE | ROW | ROWCOL,
              BLOCK SIZE = bytes, OPTION 'key' = 'value'
            table properties: MAX FILE SIZE = n, MEMSTORE FLUSH SIZE = n, NUMREGIONS = n, VALIDATION = mode,
              NAMING = IDENTITY | SHORT, OPTION 'key' = 'value'
            modes: STRICT | DEVELOPER | NONE | LEGACY (as NONE)
            """;

    private DdlHelp() {}
}
