import { parseUserAgent } from './parse-user-agent';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('parseUserAgent', () => {
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux', false],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`,
      'Edge',
      'Windows',
      false,
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 OPR/120.0`,
      'Opera',
      'Windows',
      false,
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox', 'macOS', false],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
      true,
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${webkit} SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
      true,
    ],
  ])('recognises %j', (userAgent, browser, os, mobile) => {
    expect(parseUserAgent(userAgent)).toEqual({ browser, os, isMobile: mobile, isApiClient: false });
  });

  it('recognises API clients', () => {
    expect(parseUserAgent('curl/8.5.0')).toEqual({ browser: null, os: null, isMobile: false, isApiClient: true });
  });

  it.each([null, ''])('returns unknown for an empty user agent (%j)', (userAgent) => {
    expect(parseUserAgent(userAgent)).toEqual({ browser: null, os: null, isMobile: false, isApiClient: false });
  });
});
