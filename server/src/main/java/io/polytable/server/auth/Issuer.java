package io.polytable.server.auth;

import java.net.URL;

/**
 * An outside issuer of tokens.
 *
 * @param keys where its JSON Web Key Set is
 * @param name the claim {@code iss} of its tokens
 * @param audience which the claim {@code aud} must name
 * @param userClaim the claim that names the user
 */
public record Issuer(URL keys, String name, String audience, String userClaim) {}
