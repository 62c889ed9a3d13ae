package io.polytable.server.run;

import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.server.auth.Authentication;

/**
 * Who may send requests to the HTTP port.
 *
 * @param users the users of all protocols
 * @param authentication decides who sends a request
 * @param sessions the registry of the sessions of all protocols
 */
public record Access(Users users, Authentication authentication, Sessions sessions) {}
