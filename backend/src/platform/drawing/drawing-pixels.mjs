/** Pictures of pages: how many pixels they have, and how they leave the process that draws. */
import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);

/** What is drawn at most, in pixels, whatever a page measures: eight million in all. */
const MAX_WIDTH = 2000;
const MAX_HEIGHT = 4096;

/** Width and height in pixels, in the proportions of the page as far as there is a pixel for it. */
export function pixelsOf(/** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ wanted) {
  const scale = Math.min(Math.min(wanted, MAX_WIDTH) / width, MAX_HEIGHT / height);
  return [width, height].map((side) => Math.max(1, Math.round(side * scale)));
}

/**
 * Packs a page that was drawn once, as wide as it is wanted at most, and makes the narrower pictures of that one.
 * @param {Uint8Array} pixels
 * @param {import('sharp').CreateRaw} size
 * @param {readonly number[]} widths
 */
export async function packed(pixels, size, widths) {
  const raw = sharp(pixels, { raw: size }).removeAlpha();
  const pictures = [];
  for (const wanted of widths) {
    const narrow = wanted < size.width ? raw.clone().resize(wanted) : raw;
    const { data, info } = await narrow.webp({ quality: 82, effort: 2 }).toBuffer({ resolveWithObject: true });
    pictures.push({ width: info.width, height: info.height, bytes: data });
  }
  return pictures;
}
