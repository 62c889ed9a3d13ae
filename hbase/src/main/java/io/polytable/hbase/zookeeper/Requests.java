package io.polytable.hbase.zookeeper;

import io.polytable.hbase.zookeeper.NodeTree.Node;
import io.polytable.hbase.zookeeper.Watches.Fired;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.jute.InputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.ExistsResponse;
import org.apache.zookeeper.proto.GetACLRequest;
import org.apache.zookeeper.proto.GetACLResponse;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildren2Response;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetChildrenResponse;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.GetDataResponse;
import org.apache.zookeeper.proto.SetWatches;
import org.apache.zookeeper.proto.SyncRequest;
import org.apache.zookeeper.proto.SyncResponse;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's requests on a tree of nodes that anybody may read and nobody may change: every write is refused as one
 * without permission.
 */
public final class Requests {
    private final Watches watches;
    private final Consumer<Fired> events;

    /** @param events receives what fires while a request is served */
    public Requests(Watches watches, Consumer<Fired> events) {
        this.watches = watches;
        this.events = events;
    }

    /**
     * Returns the body of the reply, empty if it has none.
     *
     * @throws KeeperException the error that the reply reports
     * @throws IOException if the request cannot be read
     */
    public Optional<Record> answer(int type, InputArchive in, NodeTree tree) throws KeeperException, IOException {
        return switch (type) {
            case OpCode.ping, OpCode.auth, OpCode.closeSession -> Optional.empty();
            case OpCode.exists -> Optional.of(exists(read(new ExistsRequest(), in), tree));
            case OpCode.getData -> Optional.of(data(read(new GetDataRequest(), in), tree));
            case OpCode.getChildren -> {
                GetChildrenRequest asked = read(new GetChildrenRequest(), in);
                yield Optional.of(new GetChildrenResponse(
                        children(asked.getPath(), asked.getWatch(), tree).children()));
            }
            case OpCode.getChildren2 -> {
                GetChildren2Request asked = read(new GetChildren2Request(), in);
                Node node = children(asked.getPath(), asked.getWatch(), tree);
                yield Optional.of(new GetChildren2Response(node.children(), node.stat()));
            }
            case OpCode.getACL -> {
                Node node = node(read(new GetACLRequest(), in).getPath(), tree);
                yield Optional.of(new GetACLResponse(ZooDefs.Ids.READ_ACL_UNSAFE, node.stat()));
            }
            case OpCode.sync ->
                Optional.of(new SyncResponse(read(new SyncRequest(), in).getPath()));
            case OpCode.setWatches -> {
                rewatch(read(new SetWatches(), in), tree);
                yield Optional.empty();
            }
            case OpCode.create,
                    OpCode.create2,
                    OpCode.createContainer,
                    OpCode.createTTL,
                    OpCode.delete,
                    OpCode.deleteContainer,
                    OpCode.setData,
                    OpCode.setACL,
                    OpCode.multi,
                    OpCode.reconfig -> throw KeeperException.create(Code.NOAUTH);
            default -> throw KeeperException.create(Code.UNIMPLEMENTED);
        };
    }

    private static <R extends Record> R read(R request, InputArchive in) throws IOException {
        request.deserialize(in, "request");
        return request;
    }

    private static Node node(String path, NodeTree tree) throws KeeperException {
        return tree.node(path).orElseThrow(() -> KeeperException.create(Code.NONODE, path));
    }

    /** An absent node can be watched too: until it is created. */
    private Record exists(ExistsRequest asked, NodeTree tree) throws KeeperException {
        if (asked.getWatch()) {
            watches.watchNode(asked.getPath());
        }
        return new ExistsResponse(node(asked.getPath(), tree).stat());
    }

    private Record data(GetDataRequest asked, NodeTree tree) throws KeeperException {
        Node node = node(asked.getPath(), tree);
        if (asked.getWatch()) {
            watches.watchNode(asked.getPath());
        }
        return new GetDataResponse(node.content().toByteArray(), node.stat());
    }

    private Node children(String path, boolean watch, NodeTree tree) throws KeeperException {
        Node node = node(path, tree);
        if (watch) {
            watches.watchChildren(path);
        }
        return node;
    }

    /** Sets the watches of a client that connected again, and fires those whose change it missed. */
    private void rewatch(SetWatches asked, NodeTree tree) throws KeeperException {
        long seen = asked.getRelativeZxid();
        for (String path : present(asked.getDataWatches())) {
            Optional<Node> node = tree.node(path);
            if (node.isEmpty() || node.get().modified() > seen) {
                events.accept(new Fired(node.isEmpty() ? EventType.NodeDeleted : EventType.NodeDataChanged, path));
            } else {
                watches.watchNode(path);
            }
        }
        for (String path : present(asked.getExistWatches())) {
            if (tree.node(path).isPresent()) {
                events.accept(new Fired(EventType.NodeCreated, path));
            } else {
                watches.watchNode(path);
            }
        }
        for (String path : present(asked.getChildWatches())) {
            Optional<Node> node = tree.node(path);
            if (node.isEmpty() || node.get().childrenModified() > seen) {
                events.accept(new Fired(node.isEmpty() ? EventType.NodeDeleted : EventType.NodeChildrenChanged, path));
            } else {
                watches.watchChildren(path);
            }
        }
    }

    /** A list may be absent in a message. */
    private static List<String> present(@Nullable List<String> paths) {
        return paths == null ? List.of() : paths;
    }
}
