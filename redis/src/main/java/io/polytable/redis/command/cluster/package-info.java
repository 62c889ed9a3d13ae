/**
 * CLUSTER and its neighbours, as a server answers that is no part of a cluster. What asks where keys are gets a true answer:
 * they are all here.
 */
@NullMarked
package io.polytable.redis.command.cluster;

import org.jspecify.annotations.NullMarked;
