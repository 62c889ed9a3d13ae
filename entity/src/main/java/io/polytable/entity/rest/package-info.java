/**
 * Instances, layouts and rows in JSON, for whoever speaks HTTP: {@link io.polytable.entity.rest.RestService} answers requests
 * below one path, {@link io.polytable.entity.rest.RestRows} those about rows, {@link io.polytable.entity.rest.RestLayouts}
 * those about instances and layouts. How requests come in, and who may make them, is the server's business.
 */
@NullMarked
package io.polytable.entity.rest;

import org.jspecify.annotations.NullMarked;
