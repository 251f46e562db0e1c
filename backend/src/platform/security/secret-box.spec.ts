import { DerivedKeys } from './derived-keys.js';
import { seal, unseal } from './secret-box.js';

const keys = (...secrets: string[]) => new DerivedKeys(secrets).forPurpose('authenticator');

describe('what is encrypted', () => {
  it('is read again, and looks different each time', () => {
    const sealed = seal(keys('one'), 'JBSWY3DP', 'user:1');
    expect(sealed).not.toContain('JBSWY3DP');
    expect(seal(keys('one'), 'JBSWY3DP', 'user:1')).not.toBe(sealed);
    expect(unseal(keys('one'), sealed, 'user:1')).toBe('JBSWY3DP');
  });

  it('is read after the secret was changed, as long as the old one is named', () => {
    const sealed = seal(keys('old'), 'JBSWY3DP', 'user:1');
    expect(unseal(keys('new', 'old'), sealed, 'user:1')).toBe('JBSWY3DP');
    expect(() => unseal(keys('new'), sealed, 'user:1')).toThrow('APP_SECRET');
  });

  it('is not read for somebody else, under another purpose, or when it was altered', () => {
    const sealed = seal(keys('one'), 'JBSWY3DP', 'user:1');
    expect(() => unseal(keys('one'), sealed, 'user:2')).toThrow();
    expect(() => unseal(new DerivedKeys(['one']).forPurpose('other'), sealed, 'user:1')).toThrow();
    const at = sealed.length - 3;
    const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(() => unseal(keys('one'), altered, 'user:1')).toThrow();
  });
});
