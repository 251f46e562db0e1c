/** Pictures of pages: their dimensions in pixels, and their encoding as WebP. */
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
export function fitIntoPixels(
  /** @type {number} */ width,
  /** @type {number} */ height,
  /** @type {number} */ requestedWidth,
) {
  const areaScale = Math.sqrt(MAX_PIXELS / width / height);
  const scale = Math.min(Math.min(requestedWidth, MAX_WIDTH) / width, MAX_HEIGHT / height, areaScale);
  return [width, height].map((side) => Math.max(1, Math.round(side * scale)));
}

/** Text and diagrams have at most this many colours, photographs more. */
const LOW_COLOUR_LIMIT = 1024;
/** Only every n-th pixel is inspected to count colours. */
const SAMPLING_STEP = 3;
/**
 * Bytes per pixel above which lossy encoding is tried for a page with few colours, too: it is smaller for noisy scans.
 */
const LARGE_BYTES_PER_PIXEL = 0.04;

/**
 * Encodes a page rendered at the largest requested width, and scales it down for the others.
 * @param {Uint8Array} pixels
 * @param {import('sharp').CreateRaw} size
 * @param {readonly number[]} widths
 */
export async function encodePage(pixels, size, widths) {
  const raw = sharp(pixels, { raw: size }).removeAlpha();
  const isLowColour = hasFewColours(pixels, size.channels);
  const pictures = [];
  for (const requestedWidth of widths) {
    const scaled = requestedWidth < size.width ? raw.clone().resize(requestedWidth) : raw;
    const { data, info } = await encodeSmallest(scaled, isLowColour);
    pictures.push({ width: info.width, height: info.height, bytes: data });
  }
  return pictures;
}

/** Rendered letters repeat, so lossless encoding takes half as much as lossy encoding, or less. */
async function encodeSmallest(/** @type {sharp.Sharp} */ picture, /** @type {boolean} */ isLowColour) {
  const encode = (/** @type {sharp.WebpOptions} */ options) =>
    picture
      .clone()
      .webp({ effort: 2, ...options })
      .toBuffer({ resolveWithObject: true });
  if (!isLowColour) return encode({ quality: 82 });
  const lossless = await encode({ lossless: true });
  if (lossless.data.length <= lossless.info.width * lossless.info.height * LARGE_BYTES_PER_PIXEL) return lossless;
  const lossy = await encode({ quality: 82 });
  return lossy.data.length < lossless.data.length ? lossy : lossless;
}

function hasFewColours(/** @type {Uint8Array} */ pixels, /** @type {number} */ channels) {
  const colours = new Set();
  for (let at = 0; at + 2 < pixels.length && colours.size <= LOW_COLOUR_LIMIT; at += channels * SAMPLING_STEP) {
    colours.add((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]);
  }
  return colours.size <= LOW_COLOUR_LIMIT;
}
