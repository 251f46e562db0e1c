/** The longest line that mail may hold, without its end. */
const LONGEST = 76;
const encoded = new Map<string, string>();

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
  if (ascii.length <= LONGEST) return ascii;
  let lines = '';
  let from = 0;
  while (ascii.length - from > LONGEST) {
    let to = from + LONGEST - 1;
    // An encoded byte, `=C4`, stays in one line.
    if (ascii[to - 1] === '=') to -= 1;
    else if (ascii[to - 2] === '=') to -= 2;
    lines += `${ascii.slice(from, to)}=\r\n`;
    from = to;
  }
  return lines + ascii.slice(from);
}

function encodeLetter(letter: string): string {
  const known = encoded.get(letter);
  if (known !== undefined) return known;
  const made = [...Buffer.from(letter, 'utf8')]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
  if (encoded.size < 5000) encoded.set(letter, made);
  return made;
}
