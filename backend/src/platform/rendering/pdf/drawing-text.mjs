/** Extracts the text of a page with word positions, in the rendering process. */
import { inRoom, module, viewOf } from '../drawing-module.mjs';
import { wordsOfField } from './drawing-fields.mjs';
import { hiddenTexts } from './drawing-layers.mjs';
import { withWrittenLinks } from './drawing-links.mjs';

/** Limits per page; a page full of small print has 8,000 characters. */
const MAX_CHARACTERS = 100_000;
const MAX_WORDS = 20_000;
/** Maximum characters of a word; longer ones are split. */
const LONGEST_WORD = 200;
/** Ends the part of a word that continues on the next line. */
const HYPHEN = '\u00ad';
/** The page size used for measuring, so that thousandths have four decimal places. */
const SIDE = 1_000_000;
/** Angle in radians from which a letter counts as rotated. */
const ASLANT = 0.01;

/**
 * @typedef {{left: number, right: number, bottom: number, top: number}} Box in points of the page, from the bottom
 * @typedef {{text: string, box: Box, letters: number}} Word
 */

/**
 * Returns the words and links of a page, with positions in thousandths of the page as rendered. Text in layers that are
 * switched off is omitted.
 * @param {number} page
 * @param {object} options
 * @param {import('./drawing-layers.mjs').LayerMarks | null} options.marks null if the document has no layers
 * @param {import('../rendering-protocol.js').PageLink[]} options.madeLinks the link annotations
 * @param {readonly import('./drawing-fields.mjs').BareField[]} [options.bareFields] fields whose values are added if
 *   some of their letters aren't drawn
 * @returns {import('../rendering-protocol.js').ExtractedPage}
 */
export function pageText(page, { marks, madeLinks, bareFields = [] }) {
  const text = module._FPDFText_LoadPage(page);
  const hidden = marks === null ? new Set() : hiddenTexts(page, marks);
  // A page whose text can't be read may still have links.
  const drawn = text === 0 ? [] : wordsOf(text, hidden);
  // If all letters of a field are drawn, their exact positions are known.
  const lost = bareFields.filter(({ box, value }) => {
    const inside = drawn.filter((word) => isInside(word.box, box)).map((word) => word.text);
    return inside.join('') !== value.replace(/\s/gu, '');
  });
  const words = [
    ...drawn.filter(({ box }) => !lost.some((field) => isInside(box, field.box))),
    ...lost.flatMap(wordsOfField).filter((word) => word.text !== ''),
  ].slice(0, MAX_WORDS);
  const found = [];
  for (const word of words) {
    const place = placeOf(page, word.box);
    if (place) found.push([word.text, ...place]);
  }
  const links = withWrittenLinks(madeLinks, { text, hidden, placeOf: (box) => placeOf(page, box) });
  const hasHidden = text !== 0 && hidden.size > 0 && hidesLetters(text, hidden);
  if (text !== 0) module._FPDFText_ClosePage(text);
  return { words: found, links, hasHidden };
}

/** Whether anything but spaces is hidden. */
function hidesLetters(/** @type {number} */ page, /** @type {Set<number>} */ hidden) {
  const count = Math.min(module._FPDFText_CountChars(page), MAX_CHARACTERS);
  for (let at = 0; at < count; at++) {
    const letter = letterOf(module._FPDFText_GetUnicode(page, at) >>> 0);
    if (letter !== ' ' && letter !== '' && hidden.has(module._FPDFText_GetTextObject(page, at))) return true;
  }
  return false;
}

/** Whether a word is in a field, even if it is too long for it. */
function isInside(/** @type {Box} */ word, /** @type {Box} */ field) {
  const y = (word.bottom + word.top) / 2;
  if (y < field.bottom || y > field.top) return false;
  return [word.left, (word.left + word.right) / 2, word.right].some((x) => x > field.left && x < field.right);
}

/** @returns {Word[]} */
function wordsOf(/** @type {number} */ page, /** @type {Set<number>} */ hidden) {
  const words = [];
  const count = Math.min(module._FPDFText_CountChars(page), MAX_CHARACTERS);
  inRoom(32, (pointer) => {
    /** @type {Word | null} */
    let word = null;
    const end = () => {
      if (word) words.push({ ...word, text: word.text.toWellFormed().replaceAll('\ufffd', '') });
      word = null;
    };
    for (let at = 0; at < count && words.length < MAX_WORDS; at++) {
      const isHyphen = module._FPDFText_IsHyphen(page, at) === 1;
      const isHidden = hidden.size > 0 && hidden.has(module._FPDFText_GetTextObject(page, at));
      const letter = isHidden ? ' ' : isHyphen ? HYPHEN : letterOf(module._FPDFText_GetUnicode(page, at) >>> 0);
      if (letter === ' ') end();
      if (letter === ' ' || letter === '') continue;
      const box = boxOf(page, at, pointer);
      word = word
        ? { text: word.text + letter, box: around(word.box, box), letters: word.letters + 1 }
        : begin(letter, box);
      if (isHyphen || word.letters >= LONGEST_WORD) end();
    }
    end();
  });
  return words.slice(0, MAX_WORDS).filter(({ text }) => text !== '' && text !== HYPHEN);
}

const begin = (/** @type {string} */ letter, /** @type {Box} */ box) => ({ text: letter, box, letters: 1 });

/**
 * Returns the character; a space for all separators; an empty string for non-characters. Surrogate halves are joined
 * when they are appended to the word.
 */
function letterOf(/** @type {number} */ code) {
  if (code === 0 || code > 0x10ffff || (code & 0xfffe) === 0xfffe) return '';
  const letter = String.fromCodePoint(code);
  if (/\s/u.test(letter)) return ' ';
  return /\p{Cc}/u.test(letter) ? '' : letter;
}

/**
 * Returns the box of a letter: the line height, as in text selection, or the painted area for rotated letters.
 * @returns {Box}
 */
function boxOf(/** @type {number} */ text, /** @type {number} */ at, /** @type {number} */ pointer) {
  const isUpright = Math.abs(module._FPDFText_GetCharAngle(text, at)) < ASLANT;
  if (isUpright && module._FPDFText_GetLooseCharBox(text, at, pointer) !== 0) {
    const view = viewOf(pointer, 16);
    const [left, top, right, bottom] = [0, 4, 8, 12].map((place) => view.getFloat32(place, true));
    if (right > left && top > bottom) return { left, right, bottom, top };
  }
  module._FPDFText_GetCharBox(text, at, pointer, pointer + 8, pointer + 16, pointer + 24);
  const view = viewOf(pointer, 32);
  const [left, right, bottom, top] = [0, 8, 16, 24].map((place) => view.getFloat64(place, true));
  return { left, right, bottom, top };
}

/** @returns {Box} */
function around(/** @type {Box} */ one, /** @type {Box} */ other) {
  return {
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
    top: Math.max(one.top, other.top),
  };
}

/**
 * Converts a box into thousandths of the page as rendered, with its rotation and cropping.
 * @returns {[x: number, y: number, width: number, height: number] | null} null if it is outside of the page
 */
export function placeOf(/** @type {number} */ page, /** @type {Box} */ { left, right, bottom, top }) {
  const corners = [onPage(page, left, bottom), onPage(page, right, top)];
  if (!corners.flat().every(Number.isFinite)) return null;
  const [[x1, x2], [y1, y2]] = [0, 1].map((axis) => corners.map((corner) => corner[axis]).sort((a, b) => a - b));
  if (x2 <= 0 || y2 <= 0 || x1 >= 1000 || y1 >= 1000) return null;
  const [x, y] = [Math.max(0, x1), Math.max(0, y1)];
  return [x, y, Math.min(1000, x2) - x, Math.min(1000, y2) - y].map((value) => Math.round(value * 10) / 10);
}

function onPage(/** @type {number} */ page, /** @type {number} */ x, /** @type {number} */ y) {
  return inRoom(8, (pointer) => {
    const isThere = module._FPDF_PageToDevice(page, 0, 0, SIDE, SIDE, 0, x, y, pointer, pointer + 4) !== 0;
    const view = viewOf(pointer, 8);
    return isThere ? [0, 4].map((place) => (view.getInt32(place, true) * 1000) / SIDE) : [NaN, NaN];
  });
}
