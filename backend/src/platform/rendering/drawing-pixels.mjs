/** Pictures of pages: how many pixels they have, and how they leave the process that draws. */
import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);

/** The largest picture that is drawn, in pixels. WebP can't be higher, which is more than a pixel for each of 14,400 points. */
const MAX_WIDTH = 2000;
const MAX_HEIGHT = 16_383;
/** 64 MB while the page is drawn. */
const MAX_PIXELS = 16_000_000;

/** Width and height in pixels, in the proportions of the page as far as there is a pixel for it. */
export function pixelsOf(/** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ wanted) {
  const fitting = Math.sqrt(MAX_PIXELS / width / height);
  const scale = Math.min(Math.min(wanted, MAX_WIDTH) / width, MAX_HEIGHT / height, fitting);
  return [width, height].map((side) => Math.max(1, Math.round(side * scale)));
}

/** Text and drawings have this many colours at most, photographs more. */
const FEW_COLOURS = 1024;
/** One pixel of so many is looked at to count them. */
const LOOKED_AT = 3;
/** Bytes a pixel above which a page of few colours is tried with loss, too: a noisy scan is smaller so. */
const LARGE = 0.04;

/**
 * Packs a page that was drawn once, as wide as it is wanted at most, and makes the narrower pictures of that one.
 * @param {Uint8Array} pixels
 * @param {import('sharp').CreateRaw} size
 * @param {readonly number[]} widths
 */
export async function packed(pixels, size, widths) {
  const raw = sharp(pixels, { raw: size }).removeAlpha();
  const isPlain = hasFewColours(pixels, size.channels);
  const pictures = [];
  for (const wanted of widths) {
    const narrow = wanted < size.width ? raw.clone().resize(wanted) : raw;
    const { data, info } = await smallest(narrow, isPlain);
    pictures.push({ width: info.width, height: info.height, bytes: data });
  }
  return pictures;
}

/** Letters as they were drawn repeat, so without loss they take a half of what they take with it, or less. */
async function smallest(/** @type {sharp.Sharp} */ picture, /** @type {boolean} */ isPlain) {
  const pack = (/** @type {sharp.WebpOptions} */ options) =>
    picture
      .clone()
      .webp({ effort: 2, ...options })
      .toBuffer({ resolveWithObject: true });
  if (!isPlain) return pack({ quality: 82 });
  const exact = await pack({ lossless: true });
  if (exact.data.length <= exact.info.width * exact.info.height * LARGE) return exact;
  const lossy = await pack({ quality: 82 });
  return lossy.data.length < exact.data.length ? lossy : exact;
}

function hasFewColours(/** @type {Uint8Array} */ pixels, /** @type {number} */ channels) {
  const seen = new Set();
  for (let at = 0; at + 2 < pixels.length && seen.size <= FEW_COLOURS; at += channels * LOOKED_AT) {
    seen.add((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]);
  }
  return seen.size <= FEW_COLOURS;
}
