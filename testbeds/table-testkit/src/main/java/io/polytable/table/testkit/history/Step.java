package io.polytable.table.testkit.history;

import java.util.List;

/** One step of a history, printed as a line of code. */
sealed interface Step {
    /** Executes the step and returns the visible result. */
    String on(World world);

    record Commit(List<Write> writes) implements Step {
        @Override
        public String on(World world) {
            return world.commit(writes);
        }

        @Override
        public String toString() {
            StringBuilder code = new StringBuilder("commit(new Batch()");
            writes.forEach(code::append);
            return code.append(");").toString();
        }
    }

    record Read(String table, List<String> keys) implements Step {
        @Override
        public String on(World world) {
            return world.read(table, keys);
        }

        @Override
        public String toString() {
            return "read(%s, %s);".formatted(table, keys);
        }
    }

    record Scan(World.Scan scan) implements Step {
        @Override
        public String on(World world) {
            return world.scan(scan);
        }

        @Override
        public String toString() {
            return "scan(%s);".formatted(scan);
        }
    }

    record TakeSnapshot(int slot) implements Step {
        @Override
        public String on(World world) {
            return world.takeSnapshot(slot);
        }

        @Override
        public String toString() {
            return "snapshots[%d] = snapshot();".formatted(slot);
        }
    }

    record ScanSnapshot(int slot, World.Scan scan) implements Step {
        @Override
        public String on(World world) {
            return world.scanSnapshot(slot, scan);
        }

        @Override
        public String toString() {
            return "snapshots[%d].scan(%s);".formatted(slot, scan);
        }
    }

    record OpenCursor(int slot, World.Scan scan) implements Step {
        @Override
        public String on(World world) {
            return world.openCursor(slot, scan);
        }

        @Override
        public String toString() {
            return "cursors[%d] = scan(%s);".formatted(slot, scan);
        }
    }

    record AdvanceCursor(int slot, int rows) implements Step {
        @Override
        public String on(World world) {
            return world.advanceCursor(slot, rows);
        }

        @Override
        public String toString() {
            return "cursors[%d].next(%d);".formatted(slot, rows);
        }
    }

    record SeekCursor(int slot, String key) implements Step {
        @Override
        public String on(World world) {
            return world.seekCursor(slot, key);
        }

        @Override
        public String toString() {
            return "cursors[%d].seek(%s);".formatted(slot, key);
        }
    }

    record Follow() implements Step {
        @Override
        public String on(World world) {
            return world.follow();
        }

        @Override
        public String toString() {
            return "follow();";
        }
    }

    record Recreate(String table) implements Step {
        @Override
        public String on(World world) {
            return world.recreate(table);
        }

        @Override
        public String toString() {
            return "recreate(%s);".formatted(table);
        }
    }

    record Restart() implements Step {
        @Override
        public String on(World world) {
            return world.restart();
        }

        @Override
        public String toString() {
            return "restart();";
        }
    }

    record Settle() implements Step {
        @Override
        public String on(World world) {
            return world.settle();
        }

        @Override
        public String toString() {
            return "settle();";
        }
    }
}
