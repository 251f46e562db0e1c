import type { Transport } from 'nodemailer';
import type { Mailbox } from './mailbox.js';

interface Taken {
  readonly messageId: string;
}

/** Lets the mailer deliver into the development mailbox as if it were a mail server. */
export function mailboxTransport(mailbox: Mailbox): Transport<Taken> {
  return {
    name: 'mailbox',
    version: '1',
    send({ message, data }, done) {
      const { from, to } = message.getEnvelope();
      const { subject = '', text, html } = data;
      mailbox
        .add({ to: to.join(', '), from: String(data.from ?? from), subject, text: String(text), html: String(html) })
        .then(
          () => done(null, { messageId: message.messageId() }),
          (error: Error) => done(error, { messageId: '' }),
        );
    },
  };
}
