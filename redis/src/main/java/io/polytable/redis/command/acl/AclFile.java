package io.polytable.redis.command.acl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.frontend.user.User;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** An ACL file: one line {@code user NAME RULE ...} per user, as ACL LIST shows them. */
public final class AclFile {
    private static final String UNCHANGED =
            "WARNING: ACL errors detected, no change to the previously active ACL rules was performed";

    private final Path path;

    public AclFile(Path path) {
        this.path = path;
    }

    /** The file cannot be used, for these reasons. */
    public static final class InvalidAclFile extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InvalidAclFile(String text) {
            super(text, null, false, false);
        }
    }

    /**
     * Reads the users; nothing of them is taken if a line has an error.
     *
     * @throws InvalidAclFile with all errors
     */
    public List<User> read(Accounts accounts) {
        return parse(lines(), accounts);
    }

    private List<String> lines() {
        try {
            return new String(Files.readAllBytes(path), ISO_8859_1).lines().toList();
        } catch (IOException unreadable) {
            throw new InvalidAclFile("Error loading ACLs, opening file '" + path + "': " + reason(unreadable));
        }
    }

    private static String reason(IOException failure) {
        return failure instanceof NoSuchFileException
                ? "No such file or directory"
                : String.valueOf(failure.getMessage());
    }

    private List<User> parse(List<String> lines, Accounts accounts) {
        List<User> users = new ArrayList<>();
        Set<String> names = new HashSet<>();
        StringBuilder errors = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            List<String> words = List.of(lines.get(i).strip().split(" +", -1));
            String place = path + ":" + (i + 1) + ": ";
            if (words.get(0).isEmpty()) {
                continue;
            }
            if (!words.get(0).equals("user") || words.size() < 2) {
                errors.append(place).append("line should start with \"user\" keyword followed by a username. ");
            } else if (!names.add(words.get(1))) {
                errors.append("WARNING: Duplicate user '" + words.get(1) + "' found on line " + (i + 1) + ". ");
            } else {
                users.add(user(words, place, accounts, errors));
            }
        }
        if (!errors.isEmpty()) {
            throw new InvalidAclFile(errors + UNCHANGED);
        }
        return users;
    }

    private static User user(List<String> words, String place, Accounts accounts, StringBuilder errors) {
        String name = Words.bytes(words.get(1)).utf8();
        // What the file does not say (the role, an address) stays.
        User known = accounts.users().find(name).orElse(User.named(name));
        RuleEditor editor = accounts.edit(known.withRules(""));
        editor.apply("reset");
        boolean syntax = false;
        for (String rule : rules(words, place, errors)) {
            try {
                editor.apply(rule);
            } catch (RuleError bad) {
                if (bad.text().equals(RuleError.UNKNOWN_NAME)) {
                    errors.append(place + "Error in applying operation '" + rule + "': " + bad.text() + ". ");
                } else if (!syntax) {
                    errors.append(place).append(bad.text()).append(". ");
                    syntax = true;
                }
            }
        }
        return editor.user();
    }

    private static List<String> rules(List<String> words, String place, StringBuilder errors) {
        try {
            return RuleEditor.joined(words.subList(2, words.size()));
        } catch (RuleError open) {
            errors.append(place).append("Unmatched parenthesis in selector definition.");
            return List.of();
        }
    }

    /** Replaces the file in one step. */
    public void write(Accounts accounts) throws IOException {
        String text = accounts.users().all().stream()
                .map(user -> Words.text(accounts.line(user)) + "\n")
                .collect(Collectors.joining());
        Path fresh = path.resolveSibling(
                path.getFileName() + ".tmp-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Bytes bytes = Words.bytes(text);
            channel.write(ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()));
            channel.force(true);
        }
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
