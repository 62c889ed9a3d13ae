package io.polytable.sql.type;

/** The kinds of errors, each with PostgreSQL's SQLSTATE. */
public enum SqlCode {
    SYNTAX_ERROR("42601"),
    UNDEFINED_NAMESPACE("3F000"),
    UNDEFINED_TABLE("42P01"),
    UNDEFINED_COLUMN("42703"),
    UNDEFINED_FUNCTION("42883"),
    UNDEFINED_OBJECT("42704"),
    UNDEFINED_PARAMETER("42P02"),
    AMBIGUOUS_COLUMN("42702"),
    AMBIGUOUS_FUNCTION("42725"),
    GROUPING_ERROR("42803"),
    WINDOWING_ERROR("42P20"),
    /** An ORDER BY position or an ON CONFLICT target that does not exist. */
    INVALID_COLUMN_REFERENCE("42P10"),
    DUPLICATE_ALIAS("42712"),
    DUPLICATE_PREPARED("42P05"),
    UNDEFINED_PREPARED("26000"),
    UNDEFINED_SAVEPOINT("3B001"),
    DUPLICATE_NAMESPACE("42P06"),
    DUPLICATE_TABLE("42P07"),
    DUPLICATE_COLUMN("42701"),
    DUPLICATE_OBJECT("42710"),
    INVALID_DEFINITION("42P16"),
    WRONG_OBJECT_TYPE("42809"),
    DEPENDENT_OBJECTS("2BP01"),
    OBJECT_IN_USE("55006"),
    TYPE_MISMATCH("42804"),
    UNSUPPORTED("0A000"),
    NOT_NULL_VIOLATION("23502"),
    UNIQUE_VIOLATION("23505"),
    CHECK_VIOLATION("23514"),
    INVALID_VALUE("22P02"),
    OUT_OF_RANGE("22003"),
    TOO_LONG("22001"),
    DIVISION_BY_ZERO("22012"),
    INVALID_PARAMETER("22023"),
    ARRAY_ELEMENT_ERROR("2202E"),
    INVALID_DATETIME("22007"),
    DATETIME_OVERFLOW("22008"),
    SUBSTRING_ERROR("22011"),
    INVALID_LOGARITHM("2201E"),
    INVALID_POWER("2201F"),
    INVALID_LIMIT("2201W"),
    INVALID_OFFSET("2201X"),
    NULL_NOT_ALLOWED("22004"),
    /** Any other wrong value in a running query. */
    DATA_EXCEPTION("22000"),
    CARDINALITY_VIOLATION("21000"),
    SERIALIZATION_FAILURE("40001"),
    FAILED_TRANSACTION("25P02"),
    NO_TRANSACTION("25P01"),
    /** The statement cannot be part of a transaction, or a transaction is in progress already. */
    ACTIVE_TRANSACTION("25001"),
    /** The session that the client names does not exist, or no longer. */
    UNDEFINED_SESSION("08003"),
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
    DATA_CORRUPTED("XX001"),
    INTERNAL("XX000");

    private final String state;

    SqlCode(String state) {
        this.state = state;
    }

    /** The five characters of the SQLSTATE. */
    public String state() {
        return state;
    }
}
