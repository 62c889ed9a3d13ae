package io.polytable.server.run;

import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.server.http.AdminToken;

/**
 * Who may send requests to the HTTP port.
 *
 * @param users the users of all protocols
 * @param token the credential of local commands
 * @param sessions the registry of the sessions of all protocols
 */
public record Access(Users users, AdminToken token, Sessions sessions) {}
