/**
 * Entity ids: a {@link io.polytable.entity.key.KeyFormat} turns an entity's name into the {@link
 * io.polytable.entity.key.EntityId} with its row key. Formatted keys keep the order of their components, so entities
 * that share their first components are a range. {@link io.polytable.entity.key.EntityIdText} is the text form.
 * The bytes are in docs/formats/entity.md.
 */
@NullMarked
package io.polytable.entity.key;

import org.jspecify.annotations.NullMarked;
