/** The fonts of this machine, loaded when first needed. */
import { readFileSync } from 'node:fs';
import { readFaces } from './font-files.mjs';
import { faceWithMore, findFace } from './font-match.mjs';
import { mergeFonts } from './font-merge.mjs';

/** @typedef {import('./font-files.mjs').Face} Face */

const PLAIN = { family: 'Helvetica', weight: 400, isItalic: false, charset: 0, pitch: 0 };

/** @type {Face[] | undefined} */
let known;
/** @type {Map<Face, Buffer | null>} */
const merged = new Map();

export const faces = () => (known ??= readFaces());

/** Returns a font extended by letters of another; null when there is none or they can't be merged. */
export function extended(/** @type {Face} */ face) {
  if (!merged.has(face)) merged.set(face, withMoreLetters(face, faceWithMore(faces(), face)));
  return merged.get(face);
}

/** Returns the replacement of Helvetica with as many letters as possible; null on a machine without one. */
export function plainFont() {
  const face = findFace(faces(), PLAIN);
  return face && !face.isCollection ? (extended(face) ?? readFileSync(face.path)) : null;
}

function withMoreLetters(/** @type {Face} */ face, /** @type {Face | undefined} */ other) {
  if (!other) return null;
  try {
    return mergeFonts(readFileSync(face.path), readFileSync(other.path));
  } catch (error) {
    // One of them is damaged; PDFium gets the first font unchanged.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
