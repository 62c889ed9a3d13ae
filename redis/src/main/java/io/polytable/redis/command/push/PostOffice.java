package io.polytable.redis.command.push;

import io.polytable.redis.command.Mailbox;
import io.polytable.redis.command.Mailbox.Mail;
import java.util.List;

/**
 * Posts mail. One lock around the posting gives all mail one order: two subscribers on different loops see the messages of
 * several publishers in the same sequence, as they do in a server with one thread. Under the lock there is only a queue's
 * append for each loop.
 */
public final class PostOffice {
    public synchronized void post(Mail mail) {
        List<Mailbox> mailboxes = mail.recipients().mailboxes();
        for (int i = 0; i < mailboxes.size(); i++) {
            mailboxes.get(i).post(mail);
        }
    }

    /** All of them with nothing in between. */
    public synchronized void post(List<Mail> mails) {
        for (Mail mail : mails) {
            post(mail);
        }
    }
}
