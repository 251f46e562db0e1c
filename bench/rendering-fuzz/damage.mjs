/** Returns a seeded generator of whole numbers from 0 up to, but excluding, its argument. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** Numbers that file formats don't expect. */
const ODD_NUMBERS = ['0', '-1', '65536', '2147483648', '99999999999999999999', '0.0000001', '1e400'];

const DAMAGES = {
  truncated: (bytes, random) => bytes.subarray(0, bytes.length - random(Math.ceil(bytes.length / 2))),
  'flipped bits': (bytes, random) => {
    for (let remaining = random(10); remaining >= 0; remaining--) bytes[random(bytes.length)] ^= 1 << random(8);
    return bytes;
  },
  'random bytes': (bytes, random) => {
    const start = random(bytes.length);
    for (let position = start; position < Math.min(bytes.length, start + 1 + random(200)); position++)
      bytes[position] = random(256);
    return bytes;
  },
  'deleted part': (bytes, random) => {
    const start = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1 + random(500))]);
  },
  'duplicated part': (bytes, random) => {
    const start = random(bytes.length);
    const part = bytes.subarray(start, start + 1 + random(5000));
    const position = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, position), part, bytes.subarray(position)]);
  },
  'odd numbers': (bytes, random) => {
    let text = bytes.toString('latin1');
    for (let remaining = 1 + random(5); remaining > 0; remaining--) {
      const start = random(text.length);
      const match = /\d+/.exec(text.slice(start, start + 2000));
      if (!match) continue;
      const position = start + match.index;
      text = text.slice(0, position) + ODD_NUMBERS[random(ODD_NUMBERS.length)] + text.slice(position + match[0].length);
    }
    return Buffer.from(text, 'latin1');
  },
  'zeroed bytes': (bytes, random) => {
    const start = random(bytes.length);
    return bytes.fill(0, start, Math.min(bytes.length, start + 1 + random(200)));
  },
};
const DAMAGE_NAMES = Object.keys(DAMAGES);

/**
 * Returns a copy of a file, damaged in one or two ways, and the names of the damages.
 */
export function damageFile(original, random) {
  let bytes = Buffer.from(original);
  const applied = [];
  for (let remaining = 1 + random(2); remaining > 0 && bytes.length > 0; remaining--) {
    const name = DAMAGE_NAMES[random(DAMAGE_NAMES.length)];
    bytes = DAMAGES[name](bytes, random);
    applied.push(name);
  }
  return { bytes, applied: applied.join(', ') };
}
