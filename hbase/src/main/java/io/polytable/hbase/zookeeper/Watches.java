package io.polytable.hbase.zookeeper;

import io.polytable.hbase.zookeeper.NodeTree.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * The watches of one connection, each of which fires once. The memory for the watches of all connections is limited.
 * Confined to the connection's event loop.
 */
public final class Watches {
    /** The watched paths of all connections; a server publishes a few dozen bytes for each table. */
    private static final long BYTES_MAX = 4 << 20;

    /** What a watch takes beside its path. */
    private static final int WATCH_BYTES = 96;

    /** Memory for the watches of all connections. */
    public static final class Room {
        private final AtomicLong taken = new AtomicLong();

        private boolean tryTake(long bytes) {
            if (taken.addAndGet(bytes) <= BYTES_MAX) {
                return true;
            }
            taken.addAndGet(-bytes);
            return false;
        }
    }

    /** A change that a client asked to be notified of. */
    public record Fired(EventType type, String path) {}

    private final Room room;
    private final Set<String> nodes = new HashSet<>();
    private final Set<String> children = new HashSet<>();

    public Watches(Room room) {
        this.room = room;
    }

    /** Watches a node: its creation, its content and its end. */
    void watchNode(String path) throws KeeperException {
        add(nodes, path);
    }

    /** Watches a node's children and its end. */
    void watchChildren(String path) throws KeeperException {
        add(children, path);
    }

    private void add(Set<String> watched, String path) throws KeeperException {
        if (watched.contains(path)) {
            return;
        }
        if (!room.tryTake(bytes(path))) {
            throw KeeperException.create(KeeperException.Code.THROTTLEDOP, path);
        }
        watched.add(path);
    }

    private static long bytes(String path) {
        return WATCH_BYTES + 2L * path.length();
    }

    /** Removes the watches that a change fires, and returns them. */
    public List<Fired> fire(NodeTree before, NodeTree after) {
        List<Fired> fired = new ArrayList<>();
        for (String path : List.copyOf(nodes)) {
            nodeChange(before.node(path), after.node(path)).ifPresent(type -> {
                remove(nodes, path);
                fired.add(new Fired(type, path));
            });
        }
        for (String path : List.copyOf(children)) {
            childChange(before.node(path), after.node(path)).ifPresent(type -> {
                remove(children, path);
                Fired event = new Fired(type, path);
                if (!fired.contains(event)) {
                    fired.add(event);
                }
            });
        }
        return fired;
    }

    private static Optional<EventType> nodeChange(Optional<Node> before, Optional<Node> after) {
        if (before.isPresent() != after.isPresent()) {
            return Optional.of(after.isPresent() ? EventType.NodeCreated : EventType.NodeDeleted);
        }
        boolean same = before.map(Node::modified).equals(after.map(Node::modified));
        return same ? Optional.empty() : Optional.of(EventType.NodeDataChanged);
    }

    private static Optional<EventType> childChange(Optional<Node> before, Optional<Node> after) {
        if (after.isEmpty()) {
            return Optional.of(EventType.NodeDeleted);
        }
        boolean same = before.map(Node::childrenModified).equals(after.map(Node::childrenModified));
        return same ? Optional.empty() : Optional.of(EventType.NodeChildrenChanged);
    }

    private void remove(Set<String> watched, String path) {
        watched.remove(path);
        room.taken.addAndGet(-bytes(path));
    }

    /** Removes all watches, when the connection ends. */
    public void clear() {
        List.copyOf(nodes).forEach(path -> remove(nodes, path));
        List.copyOf(children).forEach(path -> remove(children, path));
    }
}
