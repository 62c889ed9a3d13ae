package io.polytable.entity.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.uri.EntityUri;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One directory, one store in a process. */
class EmbeddedProviderTest {
    @TempDir
    Path directory;

    @Test
    void aStoreHasOneDurability() {
        EntityUri any = EntityUri.embedded(directory.resolve("data"));
        EntityUri always = any.withOption("durability", "always");
        EntityUri lax = any.withOption("durability", "os");
        try (EntityStore first = Entities.connect(always);
                EntityStore second = Entities.connect(always);
                EntityStore third = Entities.connect(any)) {
            assertThat(first.instances()).isEqualTo(second.instances()).isEqualTo(third.instances());
            assertThatThrownBy(() -> Entities.connect(lax).close())
                    .isInstanceOfSatisfying(
                            EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_URI));
        }
        try (EntityStore alone = Entities.connect(lax)) {
            assertThat(alone.instances()).isEmpty();
        }
    }
}
