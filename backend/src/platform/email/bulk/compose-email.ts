import MimeNode from 'nodemailer/lib/mime-node';

/** The longest line that mail may hold, without its end. */
const MAX_LINE_LENGTH = 76;
const encodedLetters = new Map<string, string>();

/**
 * Text as quoted-printable (RFC 2045): lines of at most 76 characters, all of them plain ASCII. A piece of code for
 * bulk: most of a mail is ASCII already and is taken over line by line.
 */
export function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(encodeLine)
    .join('\r\n');
}

function encodeLine(line: string): string {
  const ascii = line.replace(/[^\x20-\x3c\x3e-\x7e]/gu, encodeLetter).replace(/ $/, '=20');
  if (ascii.length <= MAX_LINE_LENGTH) return ascii;
  let lines = '';
  let from = 0;
  while (ascii.length - from > MAX_LINE_LENGTH) {
    let to = from + MAX_LINE_LENGTH - 1;
    // An encoded byte, `=C4`, stays in one line.
    if (ascii[to - 1] === '=') to -= 1;
    else if (ascii[to - 2] === '=') to -= 2;
    lines += `${ascii.slice(from, to)}=\r\n`;
    from = to;
  }
  return lines + ascii.slice(from);
}

function encodeLetter(letter: string): string {
  const known = encodedLetters.get(letter);
  if (known !== undefined) return known;
  const made = [...Buffer.from(letter, 'utf8')]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
  if (encodedLetters.size < 5000) encodedLetters.set(letter, made);
  return made;
}

/** One whole mail of many. */
export interface BulkEmail {
  /** One plain address. */
  readonly to: string;
  readonly fromName: string;
  /** Null: the mail names none. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly messageId: string;
  readonly headers: Record<string, string>;
}

/** Cannot come in the parts: an equals sign before an underscore is no quoted-printable. */
const BOUNDARY = '=_zonary_part';

/**
 * The whole mail as it goes over the line, with a text and an HTML part. The library writes the headers, which hold what
 * people chose; the parts are written here, in one go and not through its streams, for they cost the most of a campaign.
 * @param from address of the sender
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
