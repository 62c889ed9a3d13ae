package io.polytable.sql.type;

/** What kind of mistake a statement made, with PostgreSQL's five characters for it. */
public enum SqlCode {
    SYNTAX_ERROR("42601"),
    UNDEFINED_NAMESPACE("3F000"),
    UNDEFINED_TABLE("42P01"),
    UNDEFINED_COLUMN("42703"),
    UNDEFINED_FUNCTION("42883"),
    UNDEFINED_OBJECT("42704"),
    UNDEFINED_PARAMETER("42P02"),
    AMBIGUOUS_COLUMN("42702"),
    DUPLICATE_NAMESPACE("42P06"),
    DUPLICATE_TABLE("42P07"),
    DUPLICATE_COLUMN("42701"),
    DUPLICATE_OBJECT("42710"),
    INVALID_DEFINITION("42P16"),
    WRONG_OBJECT_TYPE("42809"),
    DEPENDENT_OBJECTS("2BP01"),
    TYPE_MISMATCH("42804"),
    UNSUPPORTED("0A000"),
    NOT_NULL_VIOLATION("23502"),
    UNIQUE_VIOLATION("23505"),
    CHECK_VIOLATION("23514"),
    INVALID_VALUE("22P02"),
    OUT_OF_RANGE("22003"),
    TOO_LONG("22001"),
    DIVISION_BY_ZERO("22012"),
    /** Any other wrong value that a query meets while it runs. */
    DATA_EXCEPTION("22000"),
    CARDINALITY_VIOLATION("21000"),
    SERIALIZATION_FAILURE("40001"),
    FAILED_TRANSACTION("25P02"),
    NO_TRANSACTION("25P01"),
    READ_ONLY("25006"),
    NOT_ALLOWED("42501"),
    UNAUTHENTICATED("28000"),
    PARAMS_WITH_BATCH("42P18"),
    LIMIT_EXCEEDED("54000"),
    TIMEOUT("57014"),
    CANCELLED("57014"),
    OUT_OF_MEMORY("53200"),
    TOO_MANY("53300"),
    UNAVAILABLE("58000"),
    INTERNAL("XX000");

    private final String state;

    SqlCode(String state) {
        this.state = state;
    }

    /** The SQLSTATE. */
    public String state() {
        return state;
    }
}
