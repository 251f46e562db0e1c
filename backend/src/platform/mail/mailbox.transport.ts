import type { SendMailOptions, Transport } from 'nodemailer';
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
        .add({
          to: to.join(', '),
          from: senderOf(data.from) || String(from),
          subject,
          text: String(text),
          html: String(html),
        })
        .then(
          () => done(null, { messageId: message.messageId() }),
          (error: Error) => done(error, { messageId: '' }),
        );
    },
  };
}

/** A sender as people read it; of several the envelope tells. */
function senderOf(from: SendMailOptions['from']): string {
  if (!from || Array.isArray(from)) return '';
  return typeof from === 'string' ? from : `${from.name} <${from.address}>`;
}
