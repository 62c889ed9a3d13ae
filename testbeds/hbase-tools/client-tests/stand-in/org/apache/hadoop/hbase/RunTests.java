package org.apache.hadoop.hbase;

import java.util.HashSet;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs test classes, each word the class and, behind commas, those of its methods that are left out. */
public final class RunTests {
    private RunTests() {}

    public static void main(String[] words) throws ClassNotFoundException {
        JUnitCore core = new JUnitCore();
        core.addListener(new Printed());
        for (String word : words) {
            String[] parts = word.split(",", -1);
            Set<String> left = new HashSet<>(Set.of(parts));
            core.run(Request.aClass(Class.forName(parts[0])).filterWith(new Filter() {
                @Override
                public boolean shouldRun(Description test) {
                    return !left.contains(test.getMethodName());
                }

                @Override
                public String describe() {
                    return "all but some";
                }
            }));
        }
        System.out.println("all have run");
        System.exit(0);
    }

    /** One line for each test: how it ended, its class and name. */
    private static final class Printed extends RunListener {
        private boolean failed;

        @Override
        public void testStarted(Description test) {
            failed = false;
        }

        @Override
        public void testFailure(Failure failure) {
            failed = true;
            System.out.println("FAILED " + failure.getDescription() + "\n" + failure.getTrace());
        }

        @Override
        public void testFinished(Description test) {
            if (!failed) {
                System.out.println("PASSED " + test.getTestClass().getSimpleName() + "." + test.getMethodName());
            }
        }
    }
}
