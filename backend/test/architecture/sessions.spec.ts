import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../src');
const OPENER = 'modules/auth/sign-in/session-opener.service.ts';

/** Calls by which a session comes to be without a question for the second factor, and who may make them. */
const WITHOUT_QUESTION = {
  enterWithFactor: [
    'modules/auth/passkeys/passkey-sign-in.service.ts',
    'modules/auth/sign-in/factor-sign-in.service.ts',
  ],
  renew: ['modules/auth/passwords/password-change.service.ts'],
} as const;

const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(SOURCE, path), 'utf8') }));

/** The files in which a member of a service is called, by the name under which it was injected. */
const callers = (service: string, member: string) =>
  sources
    .filter(({ text }) =>
      [...text.matchAll(new RegExp(`(\\w+): ${service}\\b`, 'g'))].some(([, name]) =>
        new RegExp(`\\b${name}\\??\\s*\\.\\s*${member}\\b`).test(text),
      ),
    )
    .map(({ path }) => path);

describe('sessions', () => {
  it('are opened in one place, which asks for the second factor', () => {
    expect(callers('SessionService', 'open')).toEqual([OPENER]);
    const writers = sources.filter(({ text }) => /insertInto\(\s*'sessions'|insert\s+into\s+"?sessions\b/i.test(text));
    expect(writers.map(({ path }) => path)).toEqual(['modules/auth/sessions/session.service.ts']);
  });

  it.each(Object.entries(WITHOUT_QUESTION))('are opened by %s only where a factor was shown', (member, allowed) => {
    expect(callers('SessionOpener', member).sort()).toEqual(allowed);
  });
});
