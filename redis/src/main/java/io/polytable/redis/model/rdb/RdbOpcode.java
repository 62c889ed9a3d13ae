package io.polytable.redis.model.rdb;

/** The bytes that begin what is not a key; the numbers are Redis' own. */
final class RdbOpcode {
    static final int FUNCTION = 245;

    /** Functions of release candidates of 7.0. */
    static final int FUNCTION_BEFORE_7_0 = 246;

    static final int MODULE = 247;
    static final int IDLE = 248;
    static final int FREQUENCY = 249;
    static final int AUX = 250;
    static final int SIZES = 251;
    static final int EXPIRES_MILLIS = 252;
    static final int EXPIRES_SECONDS = 253;
    static final int DATABASE = 254;
    static final int END = 255;

    /** Types of values of modules. */
    static final int MODULE_VALUE = 6;

    static final int MODULE_VALUE_2 = 7;

    private RdbOpcode() {}
}
