/** The fonts installed on this machine, loaded when first needed. */
import { readFileSync } from 'node:fs';
import { readFaces } from './font-files.mjs';
import { findExtendingFace, findFace } from './font-match.mjs';
import { mergeFonts } from './font-merge.mjs';

/** @typedef {import('./font-files.mjs').Face} Face */

const DEFAULT_REQUEST = { family: 'Helvetica', weight: 400, isItalic: false, charset: 0, pitch: 0 };

/** @type {Face[] | undefined} */
let cachedFaces;
/** @type {Map<Face, Buffer | null>} */
const mergedFonts = new Map();

export const installedFaces = () => (cachedFaces ??= readFaces());

/** Returns a font extended by letters of another; null when there is none or they can't be merged. */
export function extendedFont(/** @type {Face} */ face) {
  if (!mergedFonts.has(face)) mergedFonts.set(face, mergeFontFiles(face, findExtendingFace(installedFaces(), face)));
  return mergedFonts.get(face);
}

/** Returns the replacement of Helvetica with as many letters as possible; null on a machine without one. */
export function defaultFont() {
  const face = findFace(installedFaces(), DEFAULT_REQUEST);
  return face && !face.isCollection ? (extendedFont(face) ?? readFileSync(face.path)) : null;
}

function mergeFontFiles(/** @type {Face} */ face, /** @type {Face | undefined} */ other) {
  if (!other) return null;
  try {
    return mergeFonts(readFileSync(face.path), readFileSync(other.path));
  } catch (error) {
    // One of them is damaged; PDFium gets the first font unchanged.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
