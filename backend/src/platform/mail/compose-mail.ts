import MimeNode from 'nodemailer/lib/mime-node';
import type { BulkMail } from './bulk-mail.js';
import { quotedPrintable } from './quoted-printable.js';

/** Cannot come in the parts: an equals sign before an underscore is no quoted-printable. */
const BOUNDARY = '=_zonary_part';

/**
 * The whole mail as it goes over the line, with a text and an HTML part. The library writes the headers, which hold what
 * people chose; the parts are written here, in one go and not through its streams, for they cost the most of a campaign.
 * @param from address of the sender
 */
export function composeMail(mail: BulkMail, from: string): string {
  const node = new MimeNode(`multipart/alternative; boundary="${BOUNDARY}"`, { baseBoundary: 'zonary' });
  node.setHeader(mail.headers);
  node.setHeader({
    From: { name: mail.fromName, address: from },
    To: { name: '', address: mail.to },
    'Reply-To': { name: '', address: mail.replyTo },
    Subject: mail.subject,
    'Message-ID': mail.messageId,
  });
  return `${node.buildHeaders()}\r\n\r\n${part('plain', mail.text)}${part('html', mail.html)}--${BOUNDARY}--\r\n`;
}

function part(type: 'plain' | 'html', body: string): string {
  return (
    `--${BOUNDARY}\r\nContent-Type: text/${type}; charset=utf-8\r\n` +
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(body)}\r\n`
  );
}
