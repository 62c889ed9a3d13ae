package io.polytable.hbase;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs Hadoop tools one after the other, as their own main methods do, in one process: each is a class and its words, with
 * {@value #NEXT} before the next one. It is compiled here and run with the jars of the tools.
 */
final class ToolMain {
    static final String NEXT = "then";

    private ToolMain() {}

    public static void main(String[] words) throws Exception {
        List<String> own = new ArrayList<>();
        for (String word : words) {
            if (word.equals(NEXT)) {
                run(own);
                own.clear();
            } else {
                own.add(word);
            }
        }
        run(own);
        System.exit(0);
    }

    private static void run(List<String> words) throws Exception {
        Tool tool = Class.forName(words.get(0))
                .asSubclass(Tool.class)
                .getDeclaredConstructor()
                .newInstance();
        String[] rest = words.subList(1, words.size()).toArray(String[]::new);
        int code = ToolRunner.run(HBaseConfiguration.create(), tool, rest);
        System.out.println(words.get(0) + " ended with " + code);
        if (code != 0) {
            System.exit(code);
        }
    }
}
