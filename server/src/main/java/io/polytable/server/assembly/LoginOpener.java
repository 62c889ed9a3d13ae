package io.polytable.server.assembly;

import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.view.View;
import io.polytable.server.auth.LoginEndpoint;
import io.polytable.server.config.AuthSettings;
import io.polytable.server.metrics.MetricSink;
import io.polytable.server.run.Access;
import io.polytable.server.run.HttpFace;
import io.polytable.server.run.HttpFaceOpener;
import io.polytable.server.run.RunningStore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Opens logins on the HTTP port. */
final class LoginOpener implements HttpFaceOpener {
    @Override
    public Setting<Boolean> enabledKey() {
        return AuthSettings.LOGIN_ENABLED;
    }

    @Override
    public List<String> paths() {
        return List.of();
    }

    @Override
    public List<String> trees() {
        return List.of(LoginEndpoint.TREE);
    }

    @Override
    public HttpFace open(
            Settings settings,
            MemoryPlan memory,
            RunningStore engine,
            Path directory,
            Supplier<List<View>> views,
            Access access) {
        LoginEndpoint endpoint = new LoginEndpoint(
                SqlOpener.guard(settings, access),
                access.authentication(),
                access.users().logins());
        return new HttpFace() {
            @Override
            public void answer(HttpRequest call, ReplyStream reply) {
                endpoint.answer(call, reply);
            }

            @Override
            public void sample(MetricSink sink) {}

            @Override
            public void close() {}
        };
    }
}
