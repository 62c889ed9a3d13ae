/**
 * SQL over HTTP, without a word about sockets: {@link io.polytable.sql.wire.SqlEndpoint} takes a request's headers and body
 * and writes the answer as JSON, CSV or Arrow. {@link io.polytable.sql.wire.Gate} keeps out who may not come in, web pages
 * of strangers above all. Sessions across requests live in {@link io.polytable.sql.wire.Sessions}.
 */
@NullMarked
package io.polytable.sql.wire;

import org.jspecify.annotations.NullMarked;
