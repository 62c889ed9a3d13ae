package io.polytable.frontend.user;

/** What a grant allows on a table. Each protocol maps its permissions to these. */
public enum Privilege {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    /** To define tables in a scope, and to change or drop them. */
    CREATE,
    /** To run code of the server on rows, in protocols that have such calls. */
    EXECUTE,
    /** To grant and revoke in a scope. */
    ADMIN
}
