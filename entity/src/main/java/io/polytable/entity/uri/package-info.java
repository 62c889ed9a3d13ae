/**
 * URIs of entities: {@link io.polytable.entity.uri.EntityUri} names a store, an instance, a table and columns, and {@link
 * io.polytable.entity.uri.UriParser} parses all forms.
 */
@NullMarked
package io.polytable.entity.uri;

import org.jspecify.annotations.NullMarked;
