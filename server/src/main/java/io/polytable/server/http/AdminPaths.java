package io.polytable.server.http;

/** The paths of the admin endpoint, for the server and for the commands that call it. */
public final class AdminPaths {
    public static final String BACKUP = "/admin/backup";
    public static final String CHECK = "/admin/check";

    public static final String RDB_IMPORT = "/admin/redis/import-rdb";
    public static final String LIVE_IMPORT = "/admin/redis/import-redis";
    public static final String RDB_EXPORT = "/admin/redis/export-rdb";

    public static final String PROJECTION = "/admin/projection";
    public static final String PROJECTION_REBUILD = "/admin/projection/rebuild";

    /** A change of a user is a POST to this path, a slash and the name of the change. */
    public static final String USER = "/admin/user";

    public static final String LOG_LEVEL = "/admin/log-level";
    /** It only reads, like metrics, but needs the token. */
    public static final String SLOW = "/slow";

    public static final String STATUS = "/admin/status";
    public static final String STOP = "/admin/stop";

    /** The parameter of {@link #LOG_LEVEL}, as in the setting {@code log.level}; without it the levels are only returned. */
    public static final String LEVEL = "level";

    /** The parameters of changes of a user; its password is the body. */
    public static final String NAME = "name";

    public static final String ROLE = "role";
    public static final String EMAIL = "email";

    /** The parameter of {@link #BACKUP}: an absolute path. */
    public static final String TARGET = "target";

    /** The parameter of {@link #BACKUP} for an incremental one: the absolute path of an earlier backup. */
    public static final String PREVIOUS = "previous";

    /** The parameter of {@link #CHECK}: {@code true} reads all of each file. */
    public static final String DEEP = "deep";

    /** The parameter of {@link #RDB_IMPORT} and {@link #RDB_EXPORT}: an absolute path. */
    public static final String FILE = "file";

    /** The parameter of {@link #LIVE_IMPORT}: HOST:PORT. */
    public static final String SOURCE = "source";

    /** The parameter of {@link #LIVE_IMPORT}: follow, replace, cut_over, cut_over_stopped or copy. */
    public static final String MODE = "mode";

    /** The parameter of {@link #RDB_IMPORT}: {@code true} leaves libraries of functions out. */
    public static final String SKIP_FUNCTIONS = "skip-functions";

    /** The parameter of {@link #RDB_IMPORT}: {@code true} begins again after an interruption. */
    public static final String RESTART = "restart";

    private AdminPaths() {}
}
