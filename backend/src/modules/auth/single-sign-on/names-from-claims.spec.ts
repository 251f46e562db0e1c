import { toNames } from './names-from-claims.js';

const claims = (givenName: string) => ({
  issuer: 'https://id.example',
  subject: '1',
  email: 'a@example.com',
  emailVerified: true,
  preferredUsername: null,
  familyName: null,
  givenName,
});
const firstName = (given: string) => toNames(claims(given) as unknown as Parameters<typeof toNames>[0]).firstName;

describe('Names from SSO claims', () => {
  it.each([
    ['joiners in Persian', 'امیر\u200cعلی', 'امیر\u200cعلی'],
    ['joiners in Hindi', 'क्\u200dष', 'क्\u200dष'],
    ['emoji of several code points', 'Ada 👩\u200d🚀', 'Ada 👩\u200d🚀'],
    ['no invisible characters between Latin letters', 'A\u200dd\u200ba', 'Ada'],
    ['one line', 'A\nda', 'A da'],
    ['whole characters when they are cut', `${'A'.repeat(49)}👩\u200d🚀`, 'A'.repeat(49)],
    ['an emoji that just fits', `${'A'.repeat(49)}😀B`, `${'A'.repeat(49)}😀`],
  ])('keeps %s', (_, given, expected) => expect(firstName(given)).toBe(expected));
});
