import type { Response } from 'express';
import { Clock, HOUR, MINUTE } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import type { AppRequest } from '../../../../platform/http/parsing/viewer.js';
import { seal } from '../../../../platform/security/secret-box.js';
import { DocumentPasswordCookieService } from './document-password-cookie.service.js';

const OLD = 'an old secret of forty letters and more...';
const NEW = 'a newer secret of forty letters and more..';

const NOON = Date.UTC(2026, 5, 1, 12);

class FixedClock extends Clock {
  time = NOON;
  now(): Date {
    return new Date(this.time);
  }
}

function passwords(env: Record<string, string>) {
  const config = AppConfig.from({ APP_SECRET: OLD, ...env });
  const clock = new FixedClock();
  const cookieService = new DocumentPasswordCookieService(config, clock);
  const write = (password: string) => {
    let set: { name: string; value: string; options: object } | undefined;
    const response = { cookie: (name: string, value: string, options: object) => (set = { name, value, options }) };
    cookieService.writePassword(response as unknown as Response, 7, 3, password);
    return set!;
  };
  const read = (cookie: string, sessionId: number | null = 3) =>
    cookieService.readPassword({ headers: { cookie }, viewer: { sessionId } } as AppRequest, 7);
  return { write, read, clock, config };
}

describe('Document password cookie', () => {
  it.each([
    ['http', 'http://localhost:3000', 'zonary_document', false],
    ['https', 'https://zonary.example', '__Secure-zonary_document', true],
  ])('has the attributes of the other cookies under %s', (_, APP_URL, name, secure) => {
    const { write, read } = passwords({ APP_URL });
    const set = write('gül; "suyu"=5');
    expect(set).toMatchObject({
      name,
      options: { httpOnly: true, sameSite: 'strict', secure, path: '/api/files/7/pages', maxAge: 3_600_000 },
    });
    expect(set.value).toMatch(/^[\w.-]+$/);
    expect(read(`a=b; ${name}=${set.value}; c=d`)).toBe('gül; "suyu"=5');
    expect(read(`${name}=${set.value}`, null)).toBeNull();
    expect(read(`${name}=${set.value}`, 4)).toBeNull();
    expect(read('')).toBeNull();
  });

  it('fits a password of any length', () => {
    const { write, read } = passwords({});
    const long = 'ş€'.repeat(128);
    const { name, value } = write(long);
    expect(value.length).toBeLessThan(3500);
    expect(read(`${name}=${value}`)).toBe(long);
  });

  it('is readable while its secret is still configured', () => {
    const { name, value } = passwords({}).write('pass');
    expect(passwords({ APP_SECRET: `${NEW},${OLD}` }).read(`${name}=${value}`)).toBe('pass');
    expect(passwords({ APP_SECRET: NEW }).read(`${name}=${value}`)).toBeNull();
  });

  it('expires after an hour, and a longer lifetime is rejected', () => {
    const { write, read, clock, config } = passwords({});
    const { name, value } = write('pass');
    clock.time += HOUR - 1;
    expect(read(`${name}=${value}`)).toBe('pass');
    clock.time += 1;
    expect(read(`${name}=${value}`)).toBeNull();
    const until = (time: number) =>
      seal(
        config.keys.forPurpose('document-passwords'),
        JSON.stringify({ password: 'pass', until: time }),
        'file:7 session:3',
      );
    expect(read(`${name}=${until(clock.time + HOUR + MINUTE)}`)).toBe('pass');
    expect(read(`${name}=${until(clock.time + HOUR + MINUTE + 1)}`)).toBeNull();
  });
});
