import { DerivedKeys } from './derived-keys.js';
import { seal, unseal } from './secret-box.js';

const keys = (...secrets: string[]) => new DerivedKeys(secrets).forPurpose('authenticator');

describe('Encrypted values', () => {
  it('decrypts correctly, with a different ciphertext each time', () => {
    const sealed = seal(keys('one'), 'JBSWY3DP', 'user:1');
    expect(sealed).not.toContain('JBSWY3DP');
    expect(seal(keys('one'), 'JBSWY3DP', 'user:1')).not.toBe(sealed);
    expect(unseal(keys('one'), sealed, 'user:1')).toBe('JBSWY3DP');
  });

  it('decrypts after a rotation while the old secret is configured', () => {
    const sealed = seal(keys('old'), 'JBSWY3DP', 'user:1');
    expect(unseal(keys('new', 'old'), sealed, 'user:1')).toBe('JBSWY3DP');
    expect(() => unseal(keys('new'), sealed, 'user:1')).toThrow('APP_SECRET');
  });

  it('does not decrypt for another user or purpose, or when altered', () => {
    const sealed = seal(keys('one'), 'JBSWY3DP', 'user:1');
    expect(() => unseal(keys('one'), sealed, 'user:2')).toThrow();
    expect(() => unseal(new DerivedKeys(['one']).forPurpose('other'), sealed, 'user:1')).toThrow();
    const at = sealed.length - 3;
    const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(() => unseal(keys('one'), altered, 'user:1')).toThrow();
  });
});
