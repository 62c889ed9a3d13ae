package io.polytable.conformance.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The text files of the repository, without build output. */
public final class SourceTree {
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", ".vscode", "data", "polytable-data");
    private static final Pattern TEXT =
            Pattern.compile(".*\\.(java|md|xml|sh|txt|properties|config|yml|yaml|json|sql|html|css|js)|.*/polytable");

    private final Path root;
    private final List<SourceFile> files;

    private SourceTree(Path root, List<SourceFile> files) {
        this.root = root;
        this.files = files;
    }

    public static SourceTree read(Path root) {
        List<SourceFile> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    boolean skipped = !directory.equals(root)
                            && SKIPPED.contains(directory.getFileName().toString());
                    return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (TEXT.matcher(file.toString()).matches()) {
                        String path = root.relativize(file).toString().replace('\\', '/');
                        files.add(new SourceFile(path, Files.readString(file, StandardCharsets.UTF_8)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read the tree at " + root, e);
        }
        return new SourceTree(root, List.copyOf(files));
    }

    public List<SourceFile> files() {
        return files;
    }

    public List<SourceFile> java() {
        return files.stream().filter(SourceFile::isJava).toList();
    }

    public List<SourceFile> markdown() {
        return files.stream().filter(SourceFile::isMarkdown).toList();
    }

    /** Whether a path, seen from a file, leads to something that exists. */
    public boolean leadsSomewhere(SourceFile from, String link) {
        Path directory = root.resolve(from.path()).getParent();
        return directory != null && Files.exists(directory.resolve(link).normalize());
    }

    public boolean has(String path) {
        return Files.exists(root.resolve(path));
    }
}
