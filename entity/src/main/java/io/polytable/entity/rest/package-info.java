/**
 * Instances, layouts and rows as JSON over HTTP: {@link io.polytable.entity.rest.RestService} answers requests
 * below one path, {@link io.polytable.entity.rest.RestRows} those about rows, {@link io.polytable.entity.rest.RestLayouts}
 * those about instances and layouts. The server handles transport and access.
 */
@NullMarked
package io.polytable.entity.rest;

import org.jspecify.annotations.NullMarked;
