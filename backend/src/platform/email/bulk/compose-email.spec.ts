import { composeEmail, type BulkEmail } from './compose-email.js';

const mail: BulkEmail = {
  to: 'ada@example.org',
  fromName: 'Müzik, "Zone"',
  replyTo: 'owner@example.org',
  subject: 'Şarkılar',
  html: '<p>Hello = \u{1f600}</p>',
  text: 'Hello\n.\nthere',
  messageId: '<d1.00@zonary.test>',
  headers: { 'List-Unsubscribe': `<https://zonary.test/${'x'.repeat(90)}>`, 'Feedback-ID': '1:2:campaign:zonary.test' },
};

function headersOf(raw: string): Map<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  return new Map(head.split('\r\n').map((line) => [line.split(':', 1)[0]!, line.slice(line.indexOf(':') + 1).trim()]));
}

describe('composeEmail', () => {
  it('writes the sender and tracking headers', () => {
    const headers = headersOf(composeEmail(mail, 'news@zonary.test'));
    expect(headers.get('From')).toMatch(/^=\?UTF-8\?Q\?.+\?= <news@zonary\.test>$/);
    expect(headers.get('To')).toBe('ada@example.org');
    expect(headers.get('Reply-To')).toBe('owner@example.org');
    expect(headers.get('Message-ID')).toBe('<d1.00@zonary.test>');
    expect(headers.get('Feedback-ID')).toBe('1:2:campaign:zonary.test');
    expect(headers.get('List-Unsubscribe')).toBe(mail.headers['List-Unsubscribe']);
    expect(headers.get('MIME-Version')).toBe('1.0');
    expect(Date.parse(headers.get('Date')!)).toBeGreaterThan(0);
  });

  it('omits Reply-To without an address', () => {
    expect(headersOf(composeEmail({ ...mail, replyTo: null }, 'news@zonary.test')).has('Reply-To')).toBe(false);
  });

  it('writes a text part, then an HTML part, in short ASCII lines', () => {
    const raw = composeEmail(mail, 'news@zonary.test');
    const boundary = /boundary="([^"]+)"/.exec(raw)![1]!;
    const parts = raw.slice(raw.indexOf('\r\n\r\n')).split(`--${boundary}`);
    expect(parts[1]).toMatch(/^\r\nContent-Type: text\/plain[\s\S]*Hello\r\n\.\r\nthere\r\n$/);
    expect(parts[2]).toMatch(/^\r\nContent-Type: text\/html[\s\S]*<p>Hello =3D =F0=9F=98=80<\/p>\r\n$/);
    expect(parts[3]).toBe('--\r\n');
    for (const line of raw.slice(raw.indexOf('\r\n\r\n')).split('\r\n')) expect(line).toMatch(/^[\x20-\x7e]{0,76}$/);
  });

  it('lets no name, subject or value start a header', () => {
    const evil = 'x\r\nBcc: victim@example.org\r\n\r\nBody';
    const headers = { 'Content-Language': evil };
    const raw = composeEmail(
      { ...mail, fromName: evil, subject: evil, headers, messageId: `<${evil}>` },
      'n@zonary.test',
    );
    expect([...headersOf(raw).keys()]).not.toContain('Bcc');
    expect(raw).not.toMatch(/^Bcc:/im);
  });
});
