package io.polytable.hbase.zookeeper;

import io.polytable.table.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.zookeeper.data.Stat;

/** An immutable tree of znodes. Every change makes a new tree with a higher transaction id. */
public final class NodeTree {
    private static final String ROOT = "/";

    private final long transaction;
    private final Map<String, Node> nodes;

    /**
     * A znode.
     *
     * @param created, modified, childrenModified the transactions of the last such change
     */
    public record Node(
            Bytes content,
            List<String> children,
            long created,
            long modified,
            long childrenModified,
            long createdMillis,
            long modifiedMillis,
            int version) {
        public Stat stat() {
            return new Stat(
                    created,
                    modified,
                    createdMillis,
                    modifiedMillis,
                    version,
                    0,
                    0,
                    0,
                    content.length(),
                    children.size(),
                    childrenModified);
        }
    }

    private NodeTree(long transaction, Map<String, Node> nodes) {
        this.transaction = transaction;
        this.nodes = nodes;
    }

    /** A tree that has only its root. */
    public static NodeTree empty(long transaction, long nowMillis) {
        return new NodeTree(transaction, Map.of()).with(new TreeMap<>(), nowMillis);
    }

    /** The next tree, with these nodes below the root and no others. The parent of each node is among them. */
    public NodeTree with(SortedMap<String, Bytes> contents, long nowMillis) {
        long next = transaction + 1;
        NavigableMap<String, Bytes> all = new TreeMap<>(contents);
        all.put(ROOT, Bytes.EMPTY);
        Map<String, SortedSet<String>> children = children(all);
        Map<String, Node> made = new HashMap<>();
        all.forEach((path, content) -> {
            List<String> names = List.copyOf(children.getOrDefault(path, new TreeSet<>()));
            made.put(path, node(Optional.ofNullable(nodes.get(path)), content, names, next, nowMillis));
        });
        return new NodeTree(next, made);
    }

    private static Map<String, SortedSet<String>> children(NavigableMap<String, Bytes> all) {
        Map<String, SortedSet<String>> children = new HashMap<>();
        for (String path : all.tailMap(ROOT, false).keySet()) {
            int slash = path.lastIndexOf('/');
            String parent = slash == 0 ? ROOT : path.substring(0, slash);
            children.computeIfAbsent(parent, unknown -> new TreeSet<>()).add(path.substring(slash + 1));
        }
        return children;
    }

    private static Node node(Optional<Node> old, Bytes content, List<String> children, long next, long nowMillis) {
        if (old.isEmpty()) {
            return new Node(content, children, next, next, next, nowMillis, nowMillis, 0);
        }
        Node before = old.get();
        boolean same = before.content().equals(content);
        return new Node(
                content,
                children,
                before.created(),
                same ? before.modified() : next,
                before.children().equals(children) ? before.childrenModified() : next,
                before.createdMillis(),
                same ? before.modifiedMillis() : nowMillis,
                same ? before.version() : before.version() + 1);
    }

    /** The id of the transaction that made this tree. */
    public long transaction() {
        return transaction;
    }

    public Optional<Node> node(String path) {
        return Optional.ofNullable(nodes.get(path));
    }
}
