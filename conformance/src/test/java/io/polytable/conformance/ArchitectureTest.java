package io.polytable.conformance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.polytable.table.Commit;
import io.polytable.table.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dependency rules between packages that module boundaries cannot express. */
class ArchitectureTest {
    private static final List<String> PROTOCOLS = List.of("redis", "hbase", "sql", "entity");

    private static final Set<String> WITH_OWN_THREADS = Set.of(
            // HBase's client takes an executor.
            "io.polytable.entity.hbase.HBaseCluster",
            // The JVM's hooks are threads.
            "io.polytable.server.cli.StopOnSignal",
            // Timers that a query cancels with its own, and a queue that is asked whether it is empty.
            "io.polytable.sql.cache.ColumnCache",
            "io.polytable.sql.query.run.DuckEngine");

    /** Names of two modules from before the rule; none may be added. */
    private static final Set<String> NAMES_OF_TWO_MODULES = Set.of(
            "Call",
            "Cancellation",
            "Catalog",
            "Change",
            "Compaction",
            "Conditions",
            "Connection",
            "Definitions",
            "Digests",
            "Dispatcher",
            "Environment",
            "Eviction",
            "Failures",
            "Families",
            "Functions",
            "HBaseTable",
            "Housekeeping",
            "IndexedRows",
            "KeyRows",
            "Names",
            "Origin",
            "Permissions",
            "PhysicalTables",
            "ResultBudget",
            "RowCodec",
            "RowFilter",
            "RowReads",
            "Rules",
            "ScanOptions",
            "SchemaChanges",
            "Segment",
            "Selection",
            "Selections",
            "Session",
            "Source",
            "Step",
            "StoredCell",
            "StoredRow",
            "TableCalls",
            "TableWriter",
            "Tls",
            "Token",
            "Tokens",
            "Transaction",
            "ValueType",
            "Watches",
            "Words");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // A library for tests only, which is on the class path of these tests.
            .withImportOption(location -> !location.contains("table-testkit"))
            .importPackages("io.polytable");

    @Test
    void classesAreFoundAtAll() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName))
                .as("without classes every rule holds for the wrong reason")
                .contains("io.polytable.table", "io.polytable.store");
    }

    /** A package and the packages it may depend on. */
    @ParameterizedTest
    @CsvSource({
        "table, ''",
        "store, table",
        "store.fluss, frontend store table",
        "frontend, table",
        "redis, frontend table",
        "cells, frontend table",
        "sql, frontend table",
        "hbase, frontend cells table",
        "entity, frontend cells table store"
    })
    void aRoomKnowsOnlyTheRoomsBelowIt(String room, String below) {
        List<String> known = new ArrayList<>(List.of("io.polytable." + room + ".."));
        Arrays.stream(below.split(" ", -1))
                .filter(name -> !name.isEmpty())
                .forEach(name -> known.add("io.polytable." + name + ".."));
        noClasses()
                .that()
                .resideInAPackage("io.polytable." + room + "..")
                .and()
                // A module of its own within the store's package: it has its own line.
                .resideOutsideOfPackage(room.equals("store") ? "io.polytable.store.fluss.." : "")
                .should()
                .dependOnClassesThat(oursOutside(known))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** Everything else of the entity library is independent of the store. */
    @Test
    void onlyTheEmbeddedStoreOfEntitiesKnowsCellsAndTheEngine() {
        noClasses()
                .that()
                .resideInAPackage("io.polytable.entity..")
                .and()
                .resideOutsideOfPackage("io.polytable.entity.embedded..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.polytable.cells..", "io.polytable.store..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void protocolsDoNotKnowEachOther() {
        for (String protocol : PROTOCOLS) {
            String[] others = PROTOCOLS.stream()
                    .filter(other -> !other.equals(protocol))
                    .map(other -> "io.polytable." + other + "..")
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage("io.polytable." + protocol + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others)
                    .allowEmptyShould(true)
                    .check(CLASSES);
        }
    }

    @Test
    void nobodyKnowsTheServer() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.polytable.server..", "io.polytable.benchmarks..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.polytable.server..")
                .check(CLASSES);
    }

    @Test
    void onlyWirePackagesAndTheNetworkKnowNetty() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.polytable..wire..", "io.polytable.frontend.net")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .check(CLASSES);
    }

    /** An answer that shows what is not durable shows what a crash takes back: one class knows when it may leave. */
    @Test
    void onlyTheAnswerGateAsksForDurability() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.polytable.frontend.answer",
                        "io.polytable.store..",
                        "io.polytable.table..",
                        "io.polytable.benchmarks..")
                .should()
                .callMethod(Commit.class, "isDurable")
                .orShould()
                .callMethod(Commit.class, "durable")
                .orShould()
                .callMethod(Commit.class, "awaitDurable")
                .check(CLASSES);
    }

    /** A listener has a limit, a typed error and a bounded end; whoever binds a socket needs them all. */
    @Test
    void onlyTheNetworkBindsSockets() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.polytable.frontend.net", "io.polytable.benchmarks..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.netty.bootstrap.ServerBootstrap")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.net.ServerSocket")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.nio.channels.ServerSocketChannel")
                .check(CLASSES);
    }

    /** Every share of the heap is in one plan, so that their sum is known. The contract has the number, the plan divides it. */
    @Test
    void onlyTheMemoryPlanAsksForTheHeap() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.polytable.benchmarks..")
                .and()
                .doNotHaveFullyQualifiedName(Limits.class.getName())
                .should()
                .callMethod(Runtime.class, "maxMemory")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("io.polytable.frontend.limit", "io.polytable.benchmarks..")
                .and()
                .doNotHaveFullyQualifiedName(Limits.class.getName())
                .should()
                .callMethod(Limits.class, "heapBytes")
                .check(CLASSES);
    }

    /** What DuckDB reads was rendered from a bound tree: no text of a client reaches it. */
    @Test
    void onlyQueriesPassTextToDuckDb() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.polytable.sql.query..", "io.polytable.benchmarks..")
                .and()
                // Reads a file of its user in the process of its user.
                .doNotHaveFullyQualifiedName("io.polytable.server.cli.FileImport")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.duckdb..", "java.sql..")
                .check(CLASSES);
    }

    /** One name, one meaning: a reader who searches for a class finds it. */
    @Test
    void noTwoModulesHaveAClassOfTheSameName() {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
                String module = type.getPackageName()
                        .replaceFirst("io[.]polytable[.]", "")
                        .replaceFirst("[.].*", "");
                modules.computeIfAbsent(type.getSimpleName(), name -> new TreeSet<>())
                        .add(module);
            }
        }
        modules.values().removeIf(names -> names.size() == 1 || names.contains("benchmarks"));
        assertThat(modules.keySet()).isSubsetOf(NAMES_OF_TWO_MODULES);
    }

    /**
     * Background work has one rule for failures and for its end. None may be added to the exceptions.
     */
    @Test
    void onlyBackgroundWorkCreatesThreads() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.polytable.frontend.work",
                        "io.polytable.frontend.net",
                        "io.polytable.store..",
                        "io.polytable.benchmarks..")
                .and(DescribedPredicate.not(DescribedPredicate.describe(
                        "are exceptions",
                        type -> WITH_OWN_THREADS.contains(type.getName().replaceFirst("[$].*", "")))))
                .should()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class, String.class)
                .orShould()
                .callMethodWhere(DescribedPredicate.describe(
                        "create executors",
                        call -> call.getTargetOwner().isEquivalentTo(Executors.class)
                                && call.getName().startsWith("new")))
                .check(CLASSES);
    }

    @Test
    void onlyTheStoreKnowsItsEngine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.polytable.store..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.rocksdb..")
                .check(CLASSES);
    }

    @Test
    void theContractStandsOnTheLanguageAlone() {
        classes()
                .that()
                .resideInAPackage("io.polytable.table..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.polytable.table..", "java..", "org.jspecify..")
                .check(CLASSES);
    }

    /** Types and their arrays can be read and tested without any table. */
    @Test
    void columnsKnowNoTables() {
        noClasses()
                .that()
                .resideInAPackage("io.polytable.table.column")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.polytable.table.write", "io.polytable.table.feed")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.polytable.table.TableSpec")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.polytable.table.TableStore")
                .check(CLASSES);
    }

    @Test
    void theModelKnowsNoProtocol() {
        noClasses()
                .that()
                .resideInAPackage("io.polytable..model..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.polytable..command..", "io.polytable..wire..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void commandsKnowNoBytesOnTheWire() {
        noClasses()
                .that()
                .resideInAPackage("io.polytable..command..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.polytable..wire..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** A package of the Redis model and the sibling packages it may depend on. */
    @ParameterizedTest
    @CsvSource({
        "number, ''",
        "row, ''",
        "order, row",
        "change, ''",
        "keyspace, row order change",
        "string, number row change keyspace",
        "packing, number",
        "hash, number row change keyspace packing",
        "zset, number row order change keyspace"
    })
    void aTypeOfRedisKnowsOnlyWhatLiesBelowIt(String room, String below) {
        List<String> known = new ArrayList<>(List.of(
                "io.polytable.table..",
                "io.polytable.frontend.answer",
                "io.polytable.frontend.limit",
                "io.polytable.redis.model"));
        known.add("io.polytable.redis.model." + room);
        Arrays.stream(below.split(" ", -1))
                .filter(name -> !name.isEmpty())
                .forEach(name -> known.add("io.polytable.redis.model." + name));
        noClasses()
                .that()
                .resideInAPackage("io.polytable.redis.model." + room)
                .should()
                .dependOnClassesThat(oursOutside(known))
                .check(CLASSES);
    }

    @Test
    void noTypeOfRedisKnowsAnothersCommands() {
        slices().matching("io.polytable.redis.command.(string|hash|zset)")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
    }

    @Test
    void modulesFormNoCycle() {
        slices().matching("io.polytable.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packagesFormNoCycle() {
        slices().assignedFrom(new PackagesAsSlices()).should().beFreeOfCycles().check(CLASSES);
    }

    /**
     * Each package is a slice, but the rooms of the contract are one: a store takes a batch, and a batch names tables.
     * {@code table.codec} above them is apart.
     */
    private static final class PackagesAsSlices implements SliceAssignment {
        private static final Set<String> CONTRACT = Set.of(
                "io.polytable.table",
                "io.polytable.table.column",
                "io.polytable.table.feed",
                "io.polytable.table.write");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            if (!name.startsWith("io.polytable.")) {
                return SliceIdentifier.ignore();
            }
            return SliceIdentifier.of(CONTRACT.contains(name) ? "io.polytable.table" : name);
        }

        @Override
        public String getDescription() {
            return "packages, the rooms of the contract as one";
        }
    }

    private static DescribedPredicate<JavaClass> oursOutside(List<String> known) {
        return JavaClass.Predicates.resideInAPackage("io.polytable..")
                .and(DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(known.toArray(String[]::new))));
    }
}
