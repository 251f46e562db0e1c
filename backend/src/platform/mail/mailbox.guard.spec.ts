import type { ExecutionContext } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { MailboxGuard } from './mailbox.guard.js';

const secret = { APP_SECRET: 'a secret of these tests, long enough' };
const without = new MailboxGuard(AppConfig.from(secret));
const withServer = new MailboxGuard(AppConfig.from({ ...secret, SMTP_URL: 'smtp://127.0.0.1:25' }));

function opens(guard: MailboxGuard, remoteAddress: string | undefined, headers: Record<string, string>): boolean {
  const request = { socket: { remoteAddress }, headers };
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  try {
    return guard.canActivate(context);
  } catch (error) {
    expect(error).toMatchObject({ status: 404 });
    return false;
  }
}

const local = { host: 'localhost:3000' };

describe('the development mailbox', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('opens for the peer %s', (peer) => {
    expect(opens(without, peer, local)).toBe(true);
  });

  it.each(['10.0.0.5', '192.168.1.2', '::ffff:10.0.0.5', 'fe80::1', '1127.0.0.1', undefined])(
    'is hidden from the peer %s',
    (peer) => {
      expect(opens(without, peer, local)).toBe(false);
    },
  );

  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:3000'])('opens under the name %s', (host) => {
    expect(opens(without, '127.0.0.1', { host })).toBe(true);
  });

  it.each(['zonary.example.com', 'localhost.example.com', 'localhost:3000.example.com', '127.0.0.1.nip.io', ''])(
    'is hidden under the name "%s"',
    (host) => {
      expect(opens(without, '127.0.0.1', { host })).toBe(false);
    },
  );

  it.each([
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'forwarded',
    'via',
    'x-real-ip',
    'cf-connecting-ip',
  ])('is hidden behind a proxy that sends %s', (name) => {
    expect(opens(without, '127.0.0.1', { ...local, [name]: '' })).toBe(false);
  });

  it('does not exist beside a mail server', () => {
    expect(opens(withServer, '127.0.0.1', local)).toBe(false);
  });
});
