package io.polytable.sql.query.dialect;

/**
 * How the result of a function may grow. DuckDB computes a batch of values in memory that its limit does not count, and
 * cannot be stopped meanwhile, so calls that grow faster than their arguments are checked before they are computed.
 */
enum Growth {
    /** The result has a bounded size, or is a part of an argument's fixed structure. */
    FIXED,
    /** The result is not much larger than one of the arguments, however often the function is nested. */
    LINEAR,
    /** An aggregate or a window function: DuckDB's memory limit counts its state. */
    COUNTED,
    /** The result is up to eight times as large as the argument. */
    EXPANDING,
    /** The result is as large as all arguments together. */
    SUMMED,
    /** The time grows with the product of the arguments' sizes, and so may the memory. */
    QUADRATIC,
    /** The result may have any size, which the values of the arguments determine; a variant of ours bounds it. */
    GUARDED
}
