import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../src');
const OPENER = 'modules/auth/sign-in/session-issuer.service.ts';

/** Calls that create a session without asking for the second factor, and the files that may make them. */
const WITHOUT_QUESTION = {
  createSessionAfterMfa: [
    'modules/auth/passkeys/passkey-sign-in.service.ts',
    'modules/auth/sign-in/mfa-sign-in.service.ts',
  ],
  replaceSession: ['modules/auth/passwords/password-change.service.ts'],
} as const;

/**
 * Every call that creates or renews a session, and whether the session counts as reauthenticated. False where only an
 * email was proven, which may have been forwarded, or a provider's sign-in, which may have asked for nothing. A plain
 * `confirmed` is computed before the call and tested in `account-takeover.spec.ts`.
 */
const CONFIRMED_BY_CALLER = {
  'modules/admin/users/setup/setup.service.ts': ['confirmed: true'],
  'modules/auth/passwords/password-change.service.ts': [
    'confirmed: confirmedHash !== null || viewer.isReauthenticated',
  ],
  'modules/auth/registration/profile-completion.service.ts': ['confirmed: true'],
  'modules/auth/registration/registration.service.ts': ['confirmed: true'],
  'modules/auth/sign-in/sign-in-email.service.ts': ['confirmed: false'],
  'modules/auth/sign-in/sign-in.service.ts': ['confirmed'],
  'modules/auth/single-sign-on/identity-linking.service.ts': ['confirmed: true'],
  'modules/auth/single-sign-on/single-sign-on.service.ts': ['confirmed: false', 'confirmed: false'],
  'modules/links/joining/verify-join.service.ts': ['confirmed: false'],
  'modules/zones/invitations/accepting/invitation-link.service.ts': ['confirmed: false'],
};

const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(SOURCE, path), 'utf8') }));

/** The files that call a service's member, by the name under which it was injected. */
const callers = (service: string, member: string) =>
  sources
    .filter(({ text }) =>
      [...text.matchAll(new RegExp(`(\\w+): ${service}\\b`, 'g'))].some(([, name]) =>
        new RegExp(`\\b${name}\\??\\s*\\.\\s*${member}\\b`).test(text),
      ),
    )
    .map(({ path }) => path);

describe('Sessions', () => {
  it('are created in one place, which requires the second factor', () => {
    expect(callers('SessionService', 'createSession')).toEqual([OPENER]);
    expect(callers('SessionRepository', 'insertSession')).toEqual(['modules/auth/sessions/session.service.ts']);
    const writers = sources.filter(({ text }) => /insertInto\(\s*'sessions'|insert\s+into\s+"?sessions\b/i.test(text));
    expect(writers.map(({ path }) => path)).toEqual(['modules/auth/sessions/session.repository.ts']);
  });

  it('state at each creation whether they count as confirmed', () => {
    const openers = [
      ...callers('SessionIssuerService', 'createSession'),
      ...callers('SessionIssuerService', 'replaceSession'),
      ...callers('SignInService', 'createSession'),
      'modules/auth/sign-in/sign-in.service.ts',
    ];
    expect([...new Set(openers)].sort()).toEqual(Object.keys(CONFIRMED_BY_CALLER));
    for (const [path, expected] of Object.entries(CONFIRMED_BY_CALLER)) {
      const { text } = sources.find((source) => source.path === path)!;
      const session = /(?:\.(?:createSession|replaceSession)\(|const session = )[^;]*?\b(confirmed(?:: [^,{}]+)?) \}/g;
      expect([path, [...text.matchAll(session)].map(([, matched]) => matched)]).toEqual([path, expected]);
    }
  });

  it.each(Object.entries(WITHOUT_QUESTION))('are created by %s only where a factor was verified', (member, allowed) => {
    expect(callers('SessionIssuerService', member).sort()).toEqual(allowed);
  });
});
