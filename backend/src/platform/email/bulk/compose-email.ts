import MimeNode from 'nodemailer/lib/mime-node';

/** Maximum line length of quoted-printable, without the line break. */
const MAX_LINE_LENGTH = 76;
const encodedCharacters = new Map<string, string>();

/**
 * Encodes text as quoted-printable (RFC 2045): ASCII lines of at most 76 characters. Optimised for bulk email: most of
 * a message is already ASCII and is copied line by line.
 */
export function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(encodeLine)
    .join('\r\n');
}

function encodeLine(line: string): string {
  const ascii = line.replace(/[^\x20-\x3c\x3e-\x7e]/gu, encodeCharacter).replace(/ $/, '=20');
  if (ascii.length <= MAX_LINE_LENGTH) return ascii;
  let lines = '';
  let from = 0;
  while (ascii.length - from > MAX_LINE_LENGTH) {
    let to = from + MAX_LINE_LENGTH - 1;
    // Don't split an encoded byte such as `=C4`.
    if (ascii[to - 1] === '=') to -= 1;
    else if (ascii[to - 2] === '=') to -= 2;
    lines += `${ascii.slice(from, to)}=\r\n`;
    from = to;
  }
  return lines + ascii.slice(from);
}

function encodeCharacter(character: string): string {
  const cached = encodedCharacters.get(character);
  if (cached !== undefined) return cached;
  const encoded = [...Buffer.from(character, 'utf8')]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
  if (encodedCharacters.size < 5000) encodedCharacters.set(character, encoded);
  return encoded;
}

/** A complete email of a campaign. */
export interface BulkEmail {
  /** A single plain address. */
  readonly to: string;
  readonly fromName: string;
  /** Null to omit the header. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly messageId: string;
  readonly headers: Record<string, string>;
}

/** Can't occur in the parts: an equals sign before an underscore isn't valid quoted-printable. */
const BOUNDARY = '=_zonary_part';

/**
 * Composes the complete message with a text and an HTML part. The library writes the headers, which contain user input.
 * The parts are written here, without the library's streams, because they account for most of the cost of a campaign.
 * @param from the sender's address
 */
export function composeEmail(mail: BulkEmail, from: string): string {
  const node = new MimeNode(`multipart/alternative; boundary="${BOUNDARY}"`, { baseBoundary: 'zonary' });
  node.setHeader(mail.headers);
  node.setHeader({
    From: { name: mail.fromName, address: from },
    To: { name: '', address: mail.to },
    ...(mail.replyTo !== null && { 'Reply-To': { name: '', address: mail.replyTo } }),
    Subject: mail.subject,
    'Message-ID': mail.messageId,
  });
  return `${node.buildHeaders()}\r\n\r\n${mimePart('plain', mail.text)}${mimePart('html', mail.html)}--${BOUNDARY}--\r\n`;
}

function mimePart(type: 'plain' | 'html', body: string): string {
  return (
    `--${BOUNDARY}\r\nContent-Type: text/${type}; charset=utf-8\r\n` +
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(body)}\r\n`
  );
}
