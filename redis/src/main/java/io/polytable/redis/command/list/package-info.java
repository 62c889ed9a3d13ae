/**
 * The list family: {@link io.polytable.redis.command.list.ListCommands} on one list,
 * {@link io.polytable.redis.command.list.ListMoveCommands} on several,
 * {@link io.polytable.redis.command.list.BlockingListCommands} those that block. All logic is in
 * {@link io.polytable.redis.model.list}.
 */
@NullMarked
package io.polytable.redis.command.list;

import org.jspecify.annotations.NullMarked;
