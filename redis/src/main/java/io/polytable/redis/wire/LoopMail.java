package io.polytable.redis.wire;

import io.netty.util.internal.PlatformDependent;
import io.polytable.redis.command.Mailbox;
import io.polytable.redis.command.Session;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The mailbox of an event loop. Other threads only append to a queue and wake the loop once for all that is in it; the loop
 * delivers before it runs requests, after each reply, and at the end of its turn. So nothing published before a client's
 * request is told after its reply, and a command's reply comes before what the command makes its own client hear.
 */
final class LoopMail implements Mailbox {
    /** What every piece of mail takes besides its bytes. */
    private static final int MAIL_BYTES = 100;

    private final Turn turn;
    private final MailBudget budget;
    private final Queue<Mail> queue = PlatformDependent.newMpscQueue();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final MailEncoder encoder = new MailEncoder();

    LoopMail(Turn turn, MailBudget budget) {
        this.turn = turn;
        this.budget = budget;
    }

    MailBudget budget() {
        return budget;
    }

    @Override
    public void post(Mail mail) {
        budget.posted(MAIL_BYTES + mail.size());
        queue.add(mail);
        // The loop itself delivers before its turn ends.
        if (!turn.loop().inEventLoop() && woken.compareAndSet(false, true)) {
            turn.loop().execute(this::wake);
        }
    }

    private void wake() {
        woken.set(false);
        deliver();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** On the loop, while no connection's reply is being written. */
    void deliver() {
        Mail mail = queue.poll();
        while (mail != null) {
            deliver(mail);
            budget.delivered(MAIL_BYTES + mail.size());
            mail = queue.poll();
        }
    }

    private void deliver(Mail mail) {
        Recipients recipients = mail.recipients();
        try (MailCopies copies = new MailCopies(mail, encoder)) {
            for (int i = 0; i < recipients.size(); i++) {
                Session session = recipients.get(i);
                if (session.peer().mailbox() == this && mail.isWantedBy(session)) {
                    deliver(session, copies);
                }
            }
        }
    }

    private void deliver(Session session, MailCopies copies) {
        Connection connection = turn.connection(session);
        if (connection != null) {
            connection.tell(copies);
        }
    }
}
