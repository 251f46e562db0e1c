/** Returns a seeded generator of whole numbers from 0 up to, but excluding, its argument. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Numbers a file format doesn't expect. */
const ODD_NUMBERS = ['0', '-1', '65536', '2147483648', '99999999999999999999', '0.0000001', '1e400'];

const ways = {
  cut: (bytes, random) => bytes.subarray(0, bytes.length - random(Math.ceil(bytes.length / 2))),
  bits: (bytes, random) => {
    for (let times = random(10); times >= 0; times--) bytes[random(bytes.length)] ^= 1 << random(8);
    return bytes;
  },
  noise: (bytes, random) => {
    const from = random(bytes.length);
    for (let at = from; at < Math.min(bytes.length, from + 1 + random(200)); at++) bytes[at] = random(256);
    return bytes;
  },
  missing: (bytes, random) => {
    const from = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random(500))]);
  },
  twice: (bytes, random) => {
    const from = random(bytes.length);
    const part = bytes.subarray(from, from + 1 + random(5000));
    const at = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
  },
  numbers: (bytes, random) => {
    let text = bytes.toString('latin1');
    for (let times = 1 + random(5); times > 0; times--) {
      const from = random(text.length);
      const found = /\d+/.exec(text.slice(from, from + 2000));
      if (!found) continue;
      const at = from + found.index;
      text = text.slice(0, at) + ODD_NUMBERS[random(ODD_NUMBERS.length)] + text.slice(at + found[0].length);
    }
    return Buffer.from(text, 'latin1');
  },
  zeros: (bytes, random) => {
    const from = random(bytes.length);
    return bytes.fill(0, from, Math.min(bytes.length, from + 1 + random(200)));
  },
};
const names = Object.keys(ways);

/**
 * A copy damaged in one or two ways.
 * @returns the bytes, and a description of the damage
 */
export function damaged(whole, random) {
  let bytes = Buffer.from(whole);
  const done = [];
  for (let times = 1 + random(2); times > 0 && bytes.length > 0; times--) {
    const name = names[random(names.length)];
    bytes = ways[name](bytes, random);
    done.push(name);
  }
  return { bytes, done: done.join(', ') };
}
