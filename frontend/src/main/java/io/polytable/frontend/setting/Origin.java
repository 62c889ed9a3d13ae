package io.polytable.frontend.setting;

import java.nio.file.Path;

/** The source of a setting's value, in ascending precedence. */
public sealed interface Origin {
    /** The phrase that follows "from". */
    String describe();

    record Default() implements Origin {
        @Override
        public String describe() {
            return "the default";
        }
    }

    record File(Path path, int line) implements Origin {
        @Override
        public String describe() {
            return path + " line " + line;
        }
    }

    record Environment(String variable) implements Origin {
        @Override
        public String describe() {
            return "the environment (" + variable + ")";
        }
    }

    record CommandLine(String option) implements Origin {
        @Override
        public String describe() {
            return "the command line (" + option + ")";
        }
    }

    /** A change while the server ran, by the named command. */
    record Changed(String who) implements Origin {
        @Override
        public String describe() {
            return who;
        }
    }
}
