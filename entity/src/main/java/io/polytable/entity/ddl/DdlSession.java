package io.polytable.entity.ddl;

import io.polytable.entity.Entities;
import io.polytable.entity.Instance;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.session.LayoutChanges;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Executes statements against the instances of a store, one of which is in use. Not thread safe; close it. */
public final class DdlSession implements AutoCloseable {
    private static final int LOAD_DEPTH_MAX = 10;
    private static final String DEFAULT_INSTANCE = "default";

    private final EntityUri uri;
    private final PrintWriter out;
    private final ClassLoader before;
    private final String start;
    private String name;
    private @Nullable Instance instance;
    private int depth;

    /** Starts with the URI's instance or, if it names none, with the instance {@code default}. */
    public DdlSession(EntityUri uri, PrintWriter out) {
        this.uri = uri.ofStore();
        this.out = out;
        name = uri.instance().orElse(DEFAULT_INSTANCE);
        start = name;
        before = Thread.currentThread().getContextClassLoader();
    }

    /** Whether the text ends inside a statement. */
    public static boolean isOpen(String text) {
        return DdlLexer.isOpen(text);
    }

    /**
     * Executes all statements of a script, after the syntax of all has been checked.
     *
     * @return false when one of them was QUIT, which ends the script
     */
    public boolean run(String script) {
        for (DdlParser.Unit unit : DdlParser.units(script)) {
            try {
                DdlContext context = isUsable() ? DdlContext.of(instance()) : DdlContext.SYNTAX_ONLY;
                DdlStatement statement = DdlParser.parse(unit, context);
                if (statement instanceof DdlStatement.Quit) {
                    return false;
                }
                execute(statement);
            } catch (EntityException e) {
                throw e.facts().containsKey("line") ? e : located(unit, e);
            }
        }
        return true;
    }

    private static EntityException located(DdlParser.Unit unit, EntityException e) {
        return new EntityException(
                e.error(),
                "A statement failed",
                Map.of(
                        "line",
                        unit.at().line(),
                        "column",
                        unit.at().column(),
                        "reason",
                        String.valueOf(e.getMessage())),
                e);
    }

    private boolean isUsable() {
        return instance != null || Entities.instances(uri).contains(name);
    }

    private Instance instance() {
        Instance open = instance;
        if (open == null) {
            open = Entities.open(uri.withInstance(name));
            instance = open;
        }
        return open;
    }

    private void execute(DdlStatement statement) {
        if (statement instanceof DdlStatement.CreateTable create) {
            instance().createTable(create.layout());
            out.println("created table " + create.layout().name());
        } else if (statement instanceof DdlStatement.AlterTable alter) {
            alter(alter);
        } else if (statement instanceof DdlStatement.DropTable drop) {
            instance().dropTable(drop.table());
            out.println("dropped table " + drop.table());
        } else if (statement instanceof DdlStatement.Describe describe) {
            new DdlDescription(out).table(layout(describe.table()), describe.extended());
        } else if (statement instanceof DdlStatement.DescribeColumn column) {
            new DdlDescription(out).column(layout(column.table()), column);
        } else if (statement instanceof DdlStatement.Dump dump) {
            dump(dump);
        } else if (statement instanceof DdlStatement.Load load) {
            load(load.file());
        } else {
            executeAround(statement);
        }
    }

    /** Statements that are not about one table. */
    private void executeAround(DdlStatement statement) {
        if (statement instanceof DdlStatement.CreateInstance create) {
            Entities.install(uri.withInstance(create.name()), create.properties());
            out.println("created instance " + create.name());
        } else if (statement instanceof DdlStatement.DropInstance drop) {
            if (drop.name().equals(name)) {
                letGo();
            }
            Entities.uninstall(uri.withInstance(drop.name()));
            out.println("dropped instance " + drop.name());
        } else if (statement instanceof DdlStatement.UseInstance use) {
            use(use.name().orElse(start));
        } else if (statement instanceof DdlStatement.UseJar jar) {
            useJar(jar.file());
        } else if (statement instanceof DdlStatement.ShowInstances) {
            Entities.instances(uri).forEach(out::println);
        } else if (statement instanceof DdlStatement.ShowTables) {
            instance().tables().forEach(out::println);
        } else if (statement instanceof DdlStatement.ShowModules) {
            out.println("no modules: every statement is built in");
        } else if (statement instanceof DdlStatement.Help) {
            out.print(DdlHelp.TEXT);
        }
    }

    private TableLayout layout(String table) {
        return instance().table(table).layout();
    }

    private void alter(DdlStatement.AlterTable alter) {
        TableLayout wanted = alter.edit().apply(layout(alter.table()).toUpdate());
        LayoutChanges.Outcome outcome = instance().updateLayout(wanted);
        outcome.difference().forEach(out::println);
        out.println("altered table " + alter.table() + ", now layout "
                + outcome.after().layoutId());
    }

    private void use(String wanted) {
        if (!Entities.instances(uri).contains(wanted)) {
            throw new EntityException(
                    EntityError.NO_SUCH_INSTANCE, "There is no instance of this name", Map.of("instance", wanted));
        }
        letGo();
        name = wanted;
        out.println("using instance " + wanted);
    }

    private void dump(DdlStatement.Dump dump) {
        StringBuilder text = new StringBuilder();
        List<String> tables =
                dump.table().map(List::of).orElseGet(() -> instance().tables());
        tables.forEach(table -> text.append(DdlDump.of(layout(table))));
        Optional<String> file = dump.file();
        if (file.isEmpty()) {
            out.print(text);
            return;
        }
        try {
            Files.writeString(path(file.get()), text);
            out.println("wrote " + file.get());
        } catch (IOException e) {
            throw unreadable("A file cannot be written", file.get(), e);
        }
    }

    private void load(String file) {
        if (depth >= LOAD_DEPTH_MAX) {
            throw new EntityException(
                    EntityError.BAD_REQUEST, "Files load each other too deeply", Map.of("depth", depth));
        }
        String text = read(file);
        depth++;
        try {
            if (text.stripLeading().startsWith("{")) {
                TableLayout layout = instance().parseLayout(text);
                instance().createTable(layout);
                out.println("created table " + layout.name());
            } else {
                run(text);
            }
        } finally {
            depth--;
        }
    }

    private static String read(String file) {
        try {
            if (Files.size(path(file)) > DdlLexer.LENGTH_MAX) {
                throw new EntityException(EntityError.TOO_LARGE, "A script is too long", Map.of("file", file));
            }
            return Files.readString(path(file));
        } catch (IOException e) {
            throw unreadable("A file cannot be read", file, e);
        }
    }

    private static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not a file's name", Map.of("file", file), e);
        }
    }

    private static EntityException unreadable(String text, String file, IOException e) {
        return new EntityException(
                EntityError.BAD_REQUEST, text, Map.of("file", file, "reason", String.valueOf(e.getMessage())), e);
    }

    private void useJar(String file) {
        if (!Files.isRegularFile(path(file))) {
            throw new EntityException(EntityError.BAD_REQUEST, "There is no such jar", Map.of("file", file));
        }
        try {
            URL[] jar = {path(file).toUri().toURL()};
            Thread.currentThread()
                    .setContextClassLoader(
                            new URLClassLoader(jar, Thread.currentThread().getContextClassLoader()));
            out.println("using jar " + file);
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void letGo() {
        Instance open = instance;
        instance = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        letGo();
        Thread.currentThread().setContextClassLoader(before);
    }
}
