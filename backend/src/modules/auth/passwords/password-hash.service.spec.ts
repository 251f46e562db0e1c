import { PasswordHashCost, PasswordHashService } from './password-hash.service.js';

describe('Password hash', () => {
  const passwords = new PasswordHashService(new PasswordHashCost());

  it('has the cost that OWASP recommends for argon2id', async () => {
    const stored = await passwords.hash('a password');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(stored, 'a password')).toBe(true);
    expect(await passwords.verify(stored, 'another password')).toBe(false);
    expect(await passwords.verify(null, 'a password that nobody has')).toBe(false);
  });
});
