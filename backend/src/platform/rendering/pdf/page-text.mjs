/** Extracts the text of a page with word positions, in the rendering process. */
import { withMemory, pdfium, viewMemory } from '../pdfium-module.mjs';
import { estimateFieldWords } from './form-fields.mjs';
import { findHiddenTexts } from './hidden-layer-text.mjs';
import { addTextLinks } from './links-and-outline.mjs';

/** Limits per page; a page full of small print has 8,000 characters. */
const MAX_CHARACTERS = 100_000;
const MAX_WORDS = 20_000;
/** Maximum characters of a word; longer ones are split. */
const MAX_WORD_LENGTH = 200;
/** Ends the part of a word that continues on the next line. */
const HYPHEN = '\u00ad';
/** The page size used for measuring, so that thousandths have four decimal places. */
const DEVICE_SIZE = 1_000_000;
/** Angle in radians from which a letter counts as rotated. */
const MIN_ROTATION = 0.01;

/**
 * @typedef {{left: number, right: number, bottom: number, top: number}} Box in points of the page, from the bottom
 * @typedef {{text: string, box: Box, length: number}} Word
 */

/**
 * Returns the words and links of a page, with positions in thousandths of the page as rendered. Text in layers that are
 * switched off is omitted.
 * @param {number} page
 * @param {object} options
 * @param {import('./hidden-layer-text.mjs').LayerNumbers | null} options.layerNumbers null if the document
 *   has no layers
 * @param {import('../rendering-protocol.js').PageLink[]} options.linkAnnotations the link annotations
 * @param {readonly import('./form-fields.mjs').FieldWithoutAppearance[]} [options.fieldsWithoutAppearance] fields
 *   whose values are added if some of their letters aren't rendered
 * @returns {import('../rendering-protocol.js').ExtractedPage}
 */
export function extractPageText(page, { layerNumbers, linkAnnotations, fieldsWithoutAppearance = [] }) {
  const text = pdfium._FPDFText_LoadPage(page);
  const hidden = layerNumbers === null ? new Set() : findHiddenTexts(page, layerNumbers);
  // A page whose text can't be read may still have links.
  const pageWords = text === 0 ? [] : readWords(text, hidden);
  // If all letters of a field are rendered, their exact positions are known.
  const incompleteFields = fieldsWithoutAppearance.filter(({ box, value }) => {
    const inside = pageWords.filter((word) => isInside(word.box, box)).map((word) => word.text);
    return inside.join('') !== value.replace(/\s/gu, '');
  });
  const words = [
    ...pageWords.filter(({ box }) => !incompleteFields.some((field) => isInside(box, field.box))),
    ...incompleteFields.flatMap(estimateFieldWords).filter((word) => word.text !== ''),
  ].slice(0, MAX_WORDS);
  const positioned = [];
  for (const word of words) {
    const place = toPagePosition(page, word.box);
    if (place) positioned.push([word.text, ...place]);
  }
  const links = addTextLinks(linkAnnotations, { text, hidden, toPagePosition: (box) => toPagePosition(page, box) });
  const hasHidden = text !== 0 && hidden.size > 0 && hasHiddenCharacters(text, hidden);
  if (text !== 0) pdfium._FPDFText_ClosePage(text);
  return { words: positioned, links, hasHidden };
}

/** Whether anything but spaces is hidden. */
function hasHiddenCharacters(/** @type {number} */ page, /** @type {Set<number>} */ hidden) {
  const count = Math.min(pdfium._FPDFText_CountChars(page), MAX_CHARACTERS);
  for (let index = 0; index < count; index++) {
    const character = toCharacter(pdfium._FPDFText_GetUnicode(page, index) >>> 0);
    if (character !== ' ' && character !== '' && hidden.has(pdfium._FPDFText_GetTextObject(page, index))) return true;
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
function readWords(/** @type {number} */ page, /** @type {Set<number>} */ hidden) {
  const words = [];
  const count = Math.min(pdfium._FPDFText_CountChars(page), MAX_CHARACTERS);
  withMemory(32, (pointer) => {
    /** @type {Word | null} */
    let word = null;
    const endWord = () => {
      if (word) words.push({ ...word, text: word.text.toWellFormed().replaceAll('\ufffd', '') });
      word = null;
    };
    for (let index = 0; index < count && words.length < MAX_WORDS; index++) {
      const isHyphen = pdfium._FPDFText_IsHyphen(page, index) === 1;
      const isHidden = hidden.size > 0 && hidden.has(pdfium._FPDFText_GetTextObject(page, index));
      const character = isHidden
        ? ' '
        : isHyphen
          ? HYPHEN
          : toCharacter(pdfium._FPDFText_GetUnicode(page, index) >>> 0);
      if (character === ' ') endWord();
      if (character === ' ' || character === '') continue;
      const box = characterBox(page, index, pointer);
      word = word
        ? { text: word.text + character, box: unionOf(word.box, box), length: word.length + 1 }
        : startWord(character, box);
      if (isHyphen || word.length >= MAX_WORD_LENGTH) endWord();
    }
    endWord();
  });
  return words.slice(0, MAX_WORDS).filter(({ text }) => text !== '' && text !== HYPHEN);
}

const startWord = (/** @type {string} */ character, /** @type {Box} */ box) => ({ text: character, box, length: 1 });

/**
 * Returns the character; a space for all separators; an empty string for non-characters. Surrogate halves are joined
 * when they are appended to the word.
 */
function toCharacter(/** @type {number} */ code) {
  if (code === 0 || code > 0x10ffff || (code & 0xfffe) === 0xfffe) return '';
  const character = String.fromCodePoint(code);
  if (/\s/u.test(character)) return ' ';
  return /\p{Cc}/u.test(character) ? '' : character;
}

/**
 * Returns the box of a letter: the line height, as in text selection, or the painted area for rotated letters.
 * @returns {Box}
 */
function characterBox(/** @type {number} */ text, /** @type {number} */ at, /** @type {number} */ pointer) {
  const isUpright = Math.abs(pdfium._FPDFText_GetCharAngle(text, at)) < MIN_ROTATION;
  if (isUpright && pdfium._FPDFText_GetLooseCharBox(text, at, pointer) !== 0) {
    const view = viewMemory(pointer, 16);
    const [left, top, right, bottom] = [0, 4, 8, 12].map((place) => view.getFloat32(place, true));
    if (right > left && top > bottom) return { left, right, bottom, top };
  }
  pdfium._FPDFText_GetCharBox(text, at, pointer, pointer + 8, pointer + 16, pointer + 24);
  const view = viewMemory(pointer, 32);
  const [left, right, bottom, top] = [0, 8, 16, 24].map((place) => view.getFloat64(place, true));
  return { left, right, bottom, top };
}

/** @returns {Box} */
function unionOf(/** @type {Box} */ one, /** @type {Box} */ other) {
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
export function toPagePosition(/** @type {number} */ page, /** @type {Box} */ { left, right, bottom, top }) {
  const corners = [toThousandths(page, left, bottom), toThousandths(page, right, top)];
  if (!corners.flat().every(Number.isFinite)) return null;
  const [[x1, x2], [y1, y2]] = [0, 1].map((axis) => corners.map((corner) => corner[axis]).sort((a, b) => a - b));
  if (x2 <= 0 || y2 <= 0 || x1 >= 1000 || y1 >= 1000) return null;
  const [x, y] = [Math.max(0, x1), Math.max(0, y1)];
  return [x, y, Math.min(1000, x2) - x, Math.min(1000, y2) - y].map((value) => Math.round(value * 10) / 10);
}

function toThousandths(/** @type {number} */ page, /** @type {number} */ x, /** @type {number} */ y) {
  return withMemory(8, (pointer) => {
    const isConverted =
      pdfium._FPDF_PageToDevice(page, 0, 0, DEVICE_SIZE, DEVICE_SIZE, 0, x, y, pointer, pointer + 4) !== 0;
    const view = viewMemory(pointer, 8);
    return isConverted ? [0, 4].map((place) => (view.getInt32(place, true) * 1000) / DEVICE_SIZE) : [NaN, NaN];
  });
}
