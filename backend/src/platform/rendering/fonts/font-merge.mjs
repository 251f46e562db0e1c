/**
 * Appends the letters of one TrueType font to another. PDFium looks for missing letters in only one other font, Arial,
 * so the replacement of Arial must have the letters of all scripts.
 */

/** Tables that don't depend on glyph numbers, or are rewritten. All others are dropped. */
const COPIED_TABLES = ['OS/2', 'cvt ', 'fpgm', 'gasp', 'head', 'hhea', 'maxp', 'name', 'prep'];
const MAX_GLYPHS = 0xffff;
/** Flags of the components of a composite glyph (OpenType, `glyf`). */
const ARGUMENTS_ARE_WORDS = 0x0001;
const HAS_SCALE = 0x0008;
const MORE_COMPONENTS = 0x0020;
const HAS_TWO_SCALES = 0x0040;
const HAS_MATRIX = 0x0080;
const HAS_INSTRUCTIONS = 0x0100;

/**
 * @param {Buffer} base
 * @param {Buffer} extra
 * @returns {Buffer | null} null when they can't be merged: no TrueType outlines, different units, or too many glyphs
 */
export function mergeFonts(base, extra) {
  const [one, other] = [new Font(base), new Font(extra)];
  if (!one.isTrueType || !other.isTrueType || one.units !== other.units) return null;
  const codes = one.codes();
  const added = [...other.codes()].filter(([code]) => !codes.has(code));
  const glyphs = withComponents(other, new Set(added.map(([, glyph]) => glyph)));
  const numbers = new Map(glyphs.map((glyph, index) => [glyph, one.count + index]));
  const count = one.count + glyphs.length;
  if (count > MAX_GLYPHS) return null;
  for (const [code, glyph] of added) codes.set(code, numbers.get(glyph));

  const outlines = [
    ...Array.from({ length: one.count }, (_, glyph) => one.outline(glyph)),
    ...glyphs.map((glyph) => renumbered(other.outline(glyph), numbers)),
  ];
  const metrics = [
    ...Array.from({ length: one.count }, (_, glyph) => one.metric(glyph)),
    ...glyphs.map((glyph) => other.metric(glyph)),
  ];
  const tables = new Map(COPIED_TABLES.filter((tag) => one.has(tag)).map((tag) => [tag, Buffer.from(one.table(tag))]));
  tables.get('head').writeInt16BE(1, 50);
  tables.get('hhea').writeUInt16BE(count, 34);
  writeMaxima(tables.get('maxp'), other.table('maxp'), count);
  tables.set('glyf', Buffer.concat(outlines.map(padToFourBytes)));
  tables.set('loca', buildOffsets(outlines));
  tables.set('hmtx', Buffer.concat(metrics));
  tables.set('cmap', buildCharacterMap(codes));
  const post = Buffer.alloc(32);
  // Without glyph names.
  post.writeUInt32BE(0x00030000);
  tables.set('post', post);
  return buildFontFile(tables);
}

class Font {
  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    /** @type {Map<string, Buffer>} */
    this.tables = new Map();
    for (let at = 12, left = bytes.readUInt16BE(4); left > 0; left--, at += 16) {
      const [offset, length] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
      this.tables.set(bytes.toString('latin1', at, at + 4), bytes.subarray(offset, offset + length));
    }
  }

  get isTrueType() {
    return ['glyf', 'loca', 'head', 'hhea', 'hmtx', 'maxp', 'cmap'].every((tag) => this.tables.has(tag));
  }
  get units() {
    return this.table('head').readUInt16BE(18);
  }
  get count() {
    return this.table('maxp').readUInt16BE(4);
  }
  has(/** @type {string} */ tag) {
    return this.tables.has(tag);
  }
  table(/** @type {string} */ tag) {
    return this.tables.get(tag);
  }

  outline(/** @type {number} */ glyph) {
    const loca = this.table('loca');
    const isLong = this.table('head').readInt16BE(50) === 1;
    const readOffset = (/** @type {number} */ index) =>
      isLong ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index);
    return this.table('glyf').subarray(readOffset(glyph), readOffset(glyph + 1));
  }

  /** Advance width and left side bearing of a glyph. */
  metric(/** @type {number} */ glyph) {
    const [hmtx, fullMetrics] = [this.table('hmtx'), this.table('hhea').readUInt16BE(34)];
    if (glyph < fullMetrics) return hmtx.subarray(4 * glyph, 4 * glyph + 4);
    const left = 4 * fullMetrics + 2 * (glyph - fullMetrics);
    return Buffer.concat([hmtx.subarray(4 * fullMetrics - 4, 4 * fullMetrics - 2), hmtx.subarray(left, left + 2)]);
  }

  /** Glyphs of the Basic Multilingual Plane, from the format 4 map that Windows uses. */
  codes() {
    const cmap = this.table('cmap');
    /** @type {Map<number, number>} */
    const codes = new Map();
    for (let at = 4, left = cmap.readUInt16BE(2); left > 0; left--, at += 8) {
      const map = cmap.subarray(cmap.readUInt32BE(at + 4));
      if (cmap.readUInt16BE(at) === 3 && cmap.readUInt16BE(at + 2) === 1 && map.readUInt16BE(0) === 4)
        readCharacterMap(map, codes);
    }
    return codes;
  }
}

function readCharacterMap(/** @type {Buffer} */ map, /** @type {Map<number, number>} */ codes) {
  const size = map.readUInt16BE(6);
  for (let at = 0; at < size; at += 2) {
    const [end, start] = [map.readUInt16BE(14 + at), map.readUInt16BE(16 + size + at)];
    const [delta, rangeAt] = [map.readUInt16BE(16 + 2 * size + at), 16 + 3 * size + at];
    const range = map.readUInt16BE(rangeAt);
    for (let code = start; code <= end && code < 0xffff; code++) {
      const entry = range === 0 ? code : map.readUInt16BE(rangeAt + range + 2 * (code - start));
      const glyph = entry === 0 ? 0 : (entry + delta) & 0xffff;
      if (glyph !== 0) codes.set(code, glyph);
    }
  }
}

/** Returns the glyphs and all components that they are composed of. @returns {number[]} */
function withComponents(/** @type {Font} */ font, /** @type {Set<number>} */ glyphs) {
  // Iteration over a set includes entries added meanwhile.
  for (const glyph of glyphs)
    for (const { at } of componentsOf(font.outline(glyph))) glyphs.add(font.outline(glyph).readUInt16BE(at));
  return [...glyphs];
}

/** Offsets of the component references of a composite glyph; empty for a simple one. */
function componentsOf(/** @type {Buffer} */ outline) {
  const components = [];
  if (outline.length < 10 || outline.readInt16BE(0) >= 0) return components;
  for (let at = 10, flags = MORE_COMPONENTS; flags & MORE_COMPONENTS;) {
    flags = outline.readUInt16BE(at);
    const transform = flags & HAS_SCALE ? 2 : flags & HAS_TWO_SCALES ? 4 : flags & HAS_MATRIX ? 8 : 0;
    const next = at + 4 + (flags & ARGUMENTS_ARE_WORDS ? 4 : 2) + transform;
    components.push({ at: at + 2, flagsAt: at, next });
    at = next;
  }
  return components;
}

/** Returns an outline without instructions, which are specific to the other font, and with renumbered components. */
function renumbered(/** @type {Buffer} */ outline, /** @type {Map<number, number>} */ numbers) {
  if (outline.length < 10) return outline;
  const components = componentsOf(outline);
  if (components.length === 0) {
    const at = 10 + 2 * outline.readInt16BE(0);
    const rest = outline.subarray(at + 2 + outline.readUInt16BE(at));
    return Buffer.concat([outline.subarray(0, at), Buffer.alloc(2), rest]);
  }
  const copy = Buffer.from(outline.subarray(0, components.at(-1).next));
  for (const { at, flagsAt } of components) {
    copy.writeUInt16BE(numbers.get(copy.readUInt16BE(at)), at);
    copy.writeUInt16BE(copy.readUInt16BE(flagsAt) & ~HAS_INSTRUCTIONS, flagsAt);
  }
  return copy;
}

/** Writes the larger values of both fonts for points, contours and components (fields from byte 6 on). */
function writeMaxima(/** @type {Buffer} */ maxp, /** @type {Buffer} */ other, /** @type {number} */ count) {
  maxp.writeUInt16BE(count, 4);
  for (const at of [6, 8, 10, 12, 28, 30])
    maxp.writeUInt16BE(Math.max(maxp.readUInt16BE(at), other.readUInt16BE(at)), at);
}

function padToFourBytes(/** @type {Buffer} */ bytes) {
  return bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))]);
}

function buildOffsets(/** @type {Buffer[]} */ outlines) {
  const loca = Buffer.alloc(4 * (outlines.length + 1));
  let offset = 0;
  for (const [index, outline] of outlines.entries()) {
    offset += padToFourBytes(outline).length;
    loca.writeUInt32BE(offset, 4 * (index + 1));
  }
  return loca;
}

/** Builds a format 4 character map for Windows. */
function buildCharacterMap(/** @type {Map<number, number>} */ codes) {
  const segments = [];
  for (const [code, glyph] of [...codes].sort(([one], [other]) => one - other)) {
    const last = segments.at(-1);
    if (last && last.end === code - 1 && last.delta === ((glyph - code) & 0xffff)) last.end = code;
    else segments.push({ start: code, end: code, delta: (glyph - code) & 0xffff });
  }
  segments.push({ start: 0xffff, end: 0xffff, delta: 1 });
  const size = 2 * segments.length;
  const map = Buffer.alloc(16 + 4 * size);
  const power = 2 ** Math.floor(Math.log2(segments.length));
  const fields = [4, map.length, 0, size, 2 * power, Math.log2(power), size - 2 * power];
  for (const [index, value] of fields.entries()) map.writeUInt16BE(value, 2 * index);
  for (const [index, { start, end, delta }] of segments.entries()) {
    map.writeUInt16BE(end, 14 + 2 * index);
    map.writeUInt16BE(start, 16 + size + 2 * index);
    map.writeUInt16BE(delta, 16 + 2 * size + 2 * index);
  }
  const head = Buffer.from([0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 12]);
  return Buffer.concat([head, map]);
}

function buildFontFile(/** @type {Map<string, Buffer>} */ tables) {
  const sorted = [...tables].sort(([one], [other]) => (one < other ? -1 : 1));
  const head = Buffer.alloc(12 + 16 * sorted.length);
  head.writeUInt32BE(0x00010000);
  head.writeUInt16BE(sorted.length, 4);
  let offset = head.length;
  for (const [index, [tag, table]] of sorted.entries()) {
    head.write(tag, 12 + 16 * index, 'latin1');
    head.writeUInt32BE(offset, 20 + 16 * index);
    head.writeUInt32BE(table.length, 24 + 16 * index);
    offset += padToFourBytes(table).length;
  }
  return Buffer.concat([head, ...sorted.map(([, table]) => padToFourBytes(table))]);
}
