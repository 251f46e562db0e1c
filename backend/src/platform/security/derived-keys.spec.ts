import { createHmac } from 'node:crypto';
import { DerivedKeys } from './derived-keys.js';

const OLD = 'the secret that was there before and is long enough';
const NEW = 'the secret that came after it and is long enough too';

/** A seeded pseudo-random generator (mulberry32), so that every run uses the same numbers. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

describe('DerivedKeys', () => {
  it('derives keys that differ by purpose and secret and are the same in every process', () => {
    const keys = new DerivedKeys([NEW, OLD]);
    const again = new DerivedKeys([NEW, OLD]);
    const other = new DerivedKeys([OLD]);
    expect(keys.forPurpose('a').digest('x')).toBe(again.forPurpose('a').digest('x'));
    const all = [keys.forPurpose('a'), keys.forPurpose('b'), other.forPurpose('a'), other.forPurpose('b')].map((key) =>
      key.digest('x'),
    );
    expect(new Set(all).size).toBe(4);
    expect(keys.forPurpose('a').newest).toHaveLength(32);
    expect(keys.forPurpose('a').all[1]).toEqual(other.forPurpose('a').newest);
  });

  it('does not accept signatures by the secret itself', () => {
    const undivided = createHmac('sha256', OLD).update('a\nx').digest('hex');
    expect(new DerivedKeys([OLD]).forPurpose('a').matches(undivided, 'x')).toBe(false);
  });

  it('accepts signatures by the secret itself where this is enabled', () => {
    const undivided = createHmac('sha256', OLD).update('word\nmore\nx\n7').digest('hex');
    const key = new DerivedKeys([NEW, OLD]).forPurpose('a', ['word', 'more']);
    expect(key.matches(undivided, 'x', '7')).toBe(true);
    expect(key.matches(undivided.slice(0, 24), 'x', '7')).toBe(true);
    expect(key.digests('x', '7')).toContain(undivided);
    expect(key.digest('x', '7')).not.toBe(undivided);
  });

  it('verifies 300 values across secret rotations and rejects altered ones', () => {
    const next = numbers(20261122);
    const word = () => Math.floor(next() * 1e12).toString(36);
    for (let i = 0; i < 300; i += 1) {
      const secrets = Array.from({ length: 1 + Math.floor(next() * 3) }, () => `${word()}${word()}${word()}${word()}`);
      const [purpose, parts] = [word(), Array.from({ length: 1 + Math.floor(next() * 3) }, word)];
      const signed = new DerivedKeys(secrets).forPurpose(purpose).digest(...parts);
      const changed = new DerivedKeys([word().repeat(5), ...secrets]).forPurpose(purpose);
      expect(changed.matches(signed, ...parts)).toBe(true);
      expect(changed.digests(...parts)).toContain(signed);
      expect(changed.digest(...parts)).not.toBe(signed);

      const place = Math.floor(next() * 64);
      const altered = signed.slice(0, place) + (signed[place] === '0' ? '1' : '0') + signed.slice(place + 1);
      expect(changed.matches(altered, ...parts)).toBe(false);
      expect(changed.matches(signed, ...parts, 'more')).toBe(false);
      expect(new DerivedKeys(secrets).forPurpose(`${purpose}x`).matches(signed, ...parts)).toBe(false);
      expect(new DerivedKeys([word().repeat(5)]).forPurpose(purpose).matches(signed, ...parts)).toBe(false);
    }
  });

  it('uses the same bytes for signing as for encryption', () => {
    const key = new DerivedKeys([NEW, OLD]).forPurpose('a');
    const plain = key.all.map((bytes) => createHmac('sha256', bytes).update('x\n7').digest('hex'));
    expect(key.digests('x', '7')).toEqual(plain);
    expect(key.digest('x', '7')).toBe(plain[0]);
  });

  it('rejects a digest that is too short', () => {
    const key = new DerivedKeys([NEW]).forPurpose('a');
    const digest = key.digest('x');
    expect(key.matches(digest.slice(0, 24), 'x')).toBe(true);
    for (const length of [0, 1, 23]) expect(key.matches(digest.slice(0, length), 'x')).toBe(false);
    expect(key.matches(`${digest}0`, 'x')).toBe(false);
  });
});
