package io.polytable.server.cli;

import io.polytable.frontend.net.SelfSigned;
import io.polytable.frontend.net.Tls;
import io.polytable.server.run.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polytable tls self-signed DIRECTORY}: what a trial of TLS needs. */
@Command(name = "tls", description = "Makes certificates: polytable tls self-signed DIRECTORY.")
final class TlsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "self-signed", description = "A certificate that issues itself, for a year.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "DIRECTORY", description = "Where certificate.pem and key.pem are written.")
    private Path directory = Path.of("");

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "A name or address that clients connect to; default localhost, 127.0.0.1 and ::1.")
    private List<String> hosts = new ArrayList<>();

    @Override
    public Integer call() {
        if (!kind.equals("self-signed")) {
            throw new RefusedException("polytable tls makes self-signed certificates only, not " + kind);
        }
        Path target = directory.toAbsolutePath().normalize();
        try {
            Tls.Identity made =
                    SelfSigned.write(target, hosts.isEmpty() ? List.of("localhost", "127.0.0.1", "::1") : hosts);
            PrintWriter out = spec.commandLine().getOut();
            out.println("tls.certificate=" + made.certificate());
            out.println("tls.key=" + made.key());
            out.flush();
            return ExitCode.DONE;
        } catch (FileAlreadyExistsException present) {
            throw new RefusedException(present.getFile() + " exists already; delete it first", present);
        } catch (IOException failure) {
            throw new RefusedException("No certificate was made: " + failure.getMessage(), failure);
        }
    }
}
