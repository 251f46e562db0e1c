import { formatRequestOrigin } from './user-agent-label.js';

describe('formatRequestOrigin', () => {
  const requester = { asker: 'a', country: 'TR', browser: 'Firefox, Windows', at: '2026-07-24T21:02:30.000Z' };

  it('uses the time zone of the recipient and names it', () => {
    const to = (timeZone?: string | null) => formatRequestOrigin(requester, { language: 'en', timeZone });
    expect(to('Europe/Istanbul')).toBe('Requested at 00:02 GMT+3 from Türkiye, with Firefox on Windows.');
    expect(to('Asia/Kolkata')).toContain(' at 02:32 GMT+5:30 from ');
    expect(to(null)).toContain(' at 21:02 UTC from ');
  });

  it('uses the language of the recipient', () => {
    expect(formatRequestOrigin(requester, { language: 'tr', timeZone: 'Europe/Istanbul' })).toBe(
      'İstek saati: 00:02 GMT+3. Konum: Türkiye. Tarayıcı: Firefox, Windows.',
    );
  });

  it('states what is unknown and returns null without any origin', () => {
    const unknown = { asker: 'a', country: null, browser: null };
    expect(formatRequestOrigin(unknown, { language: 'en' })).toBe(
      'Requested from an unknown location, with an unknown browser.',
    );
    expect(formatRequestOrigin(unknown, { language: 'tr' })).toBe(
      'Konum: bilinmiyor. Tarayıcı: bilinmeyen bir tarayıcı.',
    );
    expect(formatRequestOrigin(undefined, { language: 'en' })).toBeNull();
  });
});
