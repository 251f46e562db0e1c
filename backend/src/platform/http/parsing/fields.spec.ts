import { isValidEmail, normaliseEmail } from './fields.js';

describe('Email addresses', () => {
  it.each([
    [' Ada@Example.COM\n', 'ada@example.com'],
    ['\u200bada@\u00adexample.com\ufeff', 'ada@example.com'],
    ['İpek@ÖRNEK.com.tr', 'ipek@örnek.com.tr'],
    ['I\u0307pek@example.com', 'ipek@example.com'],
    ['IŞIK@example.com', 'işik@example.com'],
    ['u\u0308ber@example.com', 'über@example.com'],
    ['ada@xn--mnchen-3ya.de', 'ada@münchen.de'],
    ['ada@MÜNCHEN.de', 'ada@münchen.de'],
    ['xn--a@example.com', 'xn--a@example.com'],
    ['ada@xn--.com', 'ada@xn--.com'],
    ['ada+news@example.com', 'ada+news@example.com'],
  ])('normalise %j to %j, idempotently', (input, expected) => {
    expect(normaliseEmail(input)).toBe(expected);
    expect(normaliseEmail(expected)).toBe(expected);
  });

  it.each(['ada@example.com', 'ada+news@example.com', 'şule@örnek.com.tr', 'ada@münchen.de', 'a@b.co'])(
    'accept %s',
    (address) => expect(isValidEmail(address)).toBe(true),
  );

  it.each([
    ...['', 'ada', 'ada@', '@example.com', 'ada@example', 'ada@example.com.', 'ada@exa mple.com', 'a\0da@example.com'],
    ...['ada@\ud800.com', 'ada@ex\ufffdmple.com', '"ada"@example.com', '<ada@example.com>', 'ada@example.com,b@c.de'],
    ...['ada@example.com\r\nbcc: b@c.de', `${'x'.repeat(250)}@example.com`, 'mailto:ada@example.com'],
  ])('reject %j', (text) => expect(isValidEmail(text)).toBe(false));
});
