package io.polytable.examples.phonebook;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.cell.RecordBinding;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.RowFilter;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.write.BufferedWriter;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A tour of the library: create, add, look up, import, derive, count, delete. Each step prints its result. */
public final class Phonebook {
    private static final String LINES = """
            Bob|Jones|bob@example.com|415-555-4161|12 Main|Springfield|IL|62701
            Carol|King|carol@example.com|415-555-1212|9 Elm|Oakland|CA|94601
            Dave|Low|dave@example.com|510-555-9999|3 Oak|Oakland|CA|94602
            broken line without fields
            """;

    private final EntityTable table;
    private final PrintStream out;

    private Phonebook(EntityTable table, PrintStream out) {
        this.table = table;
        this.out = out;
    }

    /**
     * Runs the example.
     *
     * @param words the URI of an instance that does not exist yet
     */
    public static void main(String... words) {
        if (words.length != 1) {
            throw new IllegalArgumentException("usage: Phonebook URI");
        }
        run(EntityUri.parse(words[0]), System.out);
    }

    /** Runs all steps in a new instance, which it drops at the end; throws if a step has an unexpected result. */
    public static void run(EntityUri uri, PrintStream out) {
        Entities.install(uri);
        try {
            try (Instance instance = Entities.open(uri)) {
                Phonebook book = new Phonebook(instance.createTable(layout()), out);
                book.said("create", "tables", instance.tables(), List.of("phonebook"));
                book.steps();
            }
        } finally {
            Entities.uninstall(uri);
        }
        out.println("done");
    }

    static TableLayout layout() {
        CellSchema text = CellSchema.avro("string");
        return TableLayout.of(
                "phonebook",
                new KeyFormat.HashPrefixed(2),
                LocalityGroup.of(
                                "default",
                                FamilyLayout.group(
                                        "info",
                                        ColumnLayout.of("firstname", text),
                                        ColumnLayout.of("lastname", text),
                                        ColumnLayout.of("email", text),
                                        ColumnLayout.of("telephone", text),
                                        ColumnLayout.of(
                                                "address",
                                                CellSchema.avro(RecordBinding.of(Contact.class)
                                                        .schema()))),
                                FamilyLayout.group(
                                        "derived", ColumnLayout.of("city", text), ColumnLayout.of("state", text)))
                        .withMaxVersions(10),
                LocalityGroup.of(
                        "stats", FamilyLayout.group("stats", ColumnLayout.of("talktime", CellSchema.counter()))));
    }

    private void steps() {
        add(
                "John",
                "Doe",
                "john@example.com",
                "202-555-9876",
                new Contact("1600 Pennsylvania Ave", "Washington", "DC", 99999));
        EntityRow john = table.reader().get(id("John", "Doe"), DataRequest.of("info"));
        said("look up", "email", john.value("info:email", String.class).orElse("nobody"), "john@example.com");
        said("import", "lines read and rejected", load(), List.of(3, 1));
        said("derive", "cities", derive(), List.of("Oakland", "Oakland", "Springfield", "Washington"));
        table.writer().increment(id("Bob", "Jones"), "stats:talktime", 30);
        said("count", "minutes", table.writer().increment(id("Bob", "Jones"), "stats:talktime", 12), 42L);
        table.writer().deleteRow(id("John", "Doe"));
        said("delete", "people left", names(ScanOptions.ALL).size(), 3);
        RowFilter inCalifornia = new RowFilter.ColumnEquals(ColumnName.parse("derived:state"), "CA");
        names(ScanOptions.ALL.filter(inCalifornia))
                .forEach(name -> table.writer().deleteRow(table.id(name)));
        said("delete by state", "people left", names(ScanOptions.ALL), List.of("Bob,Jones"));
    }

    private EntityId id(String first, String last) {
        return table.id(first + "," + last);
    }

    private void add(String first, String last, String email, String telephone, Contact address) {
        table.atomicWriter()
                .begin(id(first, last))
                .put("info:firstname", first)
                .put("info:lastname", last)
                .put("info:email", email)
                .put("info:telephone", telephone)
                .put("info:address", address)
                .commit();
    }

    /** Writes many entities through a buffer; invalid lines are counted, not written. */
    private List<Integer> load() {
        int read = 0;
        int rejected = 0;
        try (BufferedWriter writer = table.bufferedWriter()) {
            for (String line : LINES.lines().toList()) {
                String[] fields = line.split("\\|", -1);
                if (fields.length != 8) {
                    rejected++;
                    continue;
                }
                EntityId id = id(fields[0], fields[1]);
                writer.put(id, "info:firstname", fields[0]);
                writer.put(id, "info:lastname", fields[1]);
                writer.put(id, "info:email", fields[2]);
                writer.put(id, "info:telephone", fields[3]);
                writer.put(
                        id, "info:address", new Contact(fields[4], fields[5], fields[6], Integer.parseInt(fields[7])));
                read++;
            }
        }
        return List.of(read, rejected);
    }

    /** Derives columns from another column, row by row. */
    private List<String> derive() {
        List<String> cities = new ArrayList<>();
        try (RowScanner scanner = table.reader().scan(DataRequest.of("info:address"));
                BufferedWriter writer = table.bufferedWriter()) {
            for (EntityRow row : scanner.rows()) {
                Contact address = row.value("info:address", Contact.class).orElseThrow();
                writer.put(row.id(), "derived:city", address.city());
                writer.put(row.id(), "derived:state", address.state());
                cities.add(address.city());
            }
        }
        return cities.stream().sorted().toList();
    }

    private List<String> names(ScanOptions options) {
        List<String> names = new ArrayList<>();
        try (RowScanner scanner = table.reader().scan(DataRequest.of("info:lastname"), options)) {
            scanner.forEachRemaining(row -> names.add(row.id().toString()));
        }
        return names.stream().sorted().toList();
    }

    private void said(String step, String what, Object found, Object wanted) {
        out.println(step + ": " + what + " = " + found);
        if (!found.equals(wanted)) {
            throw new IllegalStateException(step + ": wanted " + wanted + ", found " + found);
        }
    }
}
