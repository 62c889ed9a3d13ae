package io.polytable.entity.tool;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command with a URI. An error is printed as one line. */
abstract class UriCommand implements Callable<Integer> {
    static final int DONE = 0;
    static final int REFUSED = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "URI", description = "where: polytable:///dir/instance, and others")
    private String text = "";

    abstract void run(EntityUri uri) throws IOException;

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    @Override
    public Integer call() {
        try {
            EntityUri uri = EntityUri.parse(text);
            uri.notes().forEach(note -> spec.commandLine().getErr().println("note: " + note));
            run(uri);
            out().flush();
            return DONE;
        } catch (EntityException e) {
            return refused(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return refused("a file cannot be read or written: " + e.getMessage());
        } catch (UncheckedIOException e) {
            return refused("a file cannot be read or written: " + e.getMessage());
        }
    }

    private int refused(String sentence) {
        out().flush();
        spec.commandLine().getErr().println("polytable: " + sentence);
        spec.commandLine().getErr().flush();
        return REFUSED;
    }

    static void inInstance(EntityUri uri, Consumer<Instance> work) {
        try (Instance instance = Entities.open(uri)) {
            work.accept(instance);
        }
    }

    static void inTable(EntityUri uri, Consumer<EntityTable> work) {
        inInstance(uri, instance -> work.accept(instance.table(uri.tableName())));
    }
}
