package io.polytable.frontend.user;

/** Whether clients of this machine may act as a user that needs no password. Clients of other machines never may. */
public enum LoopbackTrust {
    /** Until the first user has a password. */
    AUTO,
    TRUST,
    /** Users without a password cannot log in. */
    PASSWORD
}
