/** Pictures of pages: their dimensions in pixels, and their encoding. */
import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);

/**
 * Maximum dimensions of a rendered picture, in pixels. WebP doesn't support more height, which is more than a pixel for
 * each of 14,400 points.
 */
const MAX_WIDTH = 2000;
const MAX_HEIGHT = 16_383;
/** 64 MB while the page is rendered. */
const MAX_PIXELS = 16_000_000;

/** Returns width and height in pixels, in the page's proportions, but at least one pixel each. */
export function pixelsOf(/** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ wanted) {
  const fitting = Math.sqrt(MAX_PIXELS / width / height);
  const scale = Math.min(Math.min(wanted, MAX_WIDTH) / width, MAX_HEIGHT / height, fitting);
  return [width, height].map((side) => Math.max(1, Math.round(side * scale)));
}

/** Text and diagrams have at most this many colours, photographs more. */
const FEW_COLOURS = 1024;
/** Only every n-th pixel is inspected to count colours. */
const LOOKED_AT = 3;
/**
 * Bytes per pixel above which lossy encoding is tried for a page with few colours, too: it is smaller for noisy scans.
 */
const LARGE = 0.04;

/**
 * Encodes a page rendered at the largest requested width, and scales it down for the others.
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

/** Rendered letters repeat, so lossless encoding takes half as much as lossy encoding, or less. */
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
