package io.polytable.server.echo;

import io.netty.channel.Channel;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.net.Listener;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.setting.LiveValue;
import io.polytable.frontend.view.View;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** The echo protocol, open: a listener, a session for each connection, a metric, a view. */
final class EchoFrontend implements Frontend {
    private static final Metric LINES = new Metric("polytable_echo_lines", "Lines sent back");

    private final FrontendContext context;
    private final EchoRows rows;
    private final AnswerGate answers;
    private final LongAdder lines = new LongAdder();
    private final Listener listener;
    private final int port;

    EchoFrontend(FrontendContext context) {
        this.context = context;
        rows = EchoRows.of(context.store());
        answers = new AnswerGate(context.store());
        LiveValue<Integer> most = context.settings().live(EchoOpener.CONNECTIONS_MAX);
        listener = context.network()
                .listener(name())
                .connectionsMax(most::get)
                .accepted(this::connected)
                .open();
        int wanted = context.settings().get(EchoOpener.PORT);
        port = listener.bind(name(), new InetSocketAddress(context.address(), wanted));
    }

    private void connected(Channel channel) {
        Budget waiting = context.memory().budget(EchoOpener.LINES);
        EchoConnection connection = new EchoConnection(rows, answers, waiting, lines);
        String address = Session.address(channel.remoteAddress());
        Optional<Session> session = context.sessions().open(name(), address, Principal.ROOT, connection);
        connection.serve(channel, session.orElseThrow());
    }

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public List<Port> ports() {
        return List.of(new Port(name(), port));
    }

    @Override
    public List<View> views() {
        return List.of(rows);
    }

    @Override
    public void sample(MetricSink sink) {
        sink.counter(LINES, Labels.NONE, lines.doubleValue());
    }

    @Override
    public void close() {
        listener.close();
    }
}
