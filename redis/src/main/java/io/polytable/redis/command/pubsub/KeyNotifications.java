package io.polytable.redis.command.pubsub;

import io.polytable.redis.command.config.EventClasses;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.pubsub.PubSub.Publication;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.ChangeListener;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.change.Origin;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Keyspace notifications: publishes the events of keys after their commit and in its order. */
public final class KeyNotifications implements ChangeListener {
    private final PubSub pubSub;
    private final RedisConfig settings;
    private final KeyChanges.Subscription subscription;
    private volatile EventClasses wanted;

    public KeyNotifications(PubSub pubSub, RedisConfig settings, KeyChanges changes) {
        this.pubSub = pubSub;
        this.settings = settings;
        this.wanted = settings.keyEvents();
        this.subscription = changes.subscribe(this);
        settings.onChange(this::update);
        pubSub.onListenersChange(this::update);
        update();
    }

    /** Collects events only while some are configured and somebody is subscribed: writes pay for them. */
    private synchronized void update() {
        wanted = settings.keyEvents();
        boolean heard = wanted.isAnywhere() && pubSub.hasListeners();
        subscription.wantChanges(heard && wanted.hasChanges());
        subscription.wantMisses(heard && wanted.has(EventClass.KEY_MISS));
    }

    @Override
    public void committed(Unit unit) {
        List<Publication> publications = new ArrayList<>();
        for (Change change : unit.changes()) {
            if (change instanceof Change.Key key && wanted.has(key.event().kind())) {
                add(key.database(), key.key(), key.event(), publications);
            }
        }
        publish(publications);
    }

    @Override
    public void missed(int database, Bytes key, Origin origin) {
        List<Publication> publications = new ArrayList<>();
        add(database, key, KeyEvent.KEY_MISS, publications);
        publish(publications);
    }

    private void add(int database, Bytes key, KeyEvent event, List<Publication> publications) {
        Bytes name = Bytes.utf8(event.name());
        if (wanted.toKeyspace()) {
            publications.add(
                    new Publication(Bytes.utf8("__keyspace@" + database + "__:").concat(key), name));
        }
        if (wanted.toKeyevent()) {
            publications.add(
                    new Publication(Bytes.utf8("__keyevent@" + database + "__:").concat(name), key));
        }
    }

    private void publish(List<Publication> publications) {
        if (!publications.isEmpty()) {
            pubSub.publishAll(publications);
        }
    }
}
