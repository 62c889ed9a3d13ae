/**
 * Entity ids: a {@link io.polytable.entity.key.KeyFormat} turns what a caller names an entity by into the {@link
 * io.polytable.entity.key.EntityId} whose row key orders it. Formatted keys keep the order of their components, so entities
 * that share their first components are a range. {@link io.polytable.entity.key.EntityIdText} is the form people type.
 * The bytes are in docs/formats/entity.md.
 */
@NullMarked
package io.polytable.entity.key;

import org.jspecify.annotations.NullMarked;
