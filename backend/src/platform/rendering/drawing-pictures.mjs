/**
 * Opens pictures in the rendering process: documents of one page, and multi-page scans. The claimed dimensions are
 * checked before any pixel is decoded. Pictures have no text.
 */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { MAX_PAGES, OutOfMemory, Refusal } from './drawing-module.mjs';
import { packed, pixelsOf } from './drawing-pixels.mjs';

/** Maximum decoded pixels: enough for cameras, but less than what a few bytes can claim. */
const MAX_PIXELS = 50_000_000;
/** DPI at which a unit of an SVG is one pixel, and the range at which it can be rendered. */
const DENSITY = 72;
const DENSITIES = [1, 100_000];
/** SVGs smaller than this, in pixels, are measured at ten times the density. */
const SMALL = 1000;
const PAPER = '#ffffff';

/** @typedef {import('./drawing-module.mjs').OpenDocument} OpenDocument */
/** Width and height in pixels. @typedef {[number, number]} Size */

/** Formats that browsers show; of an animation, the first frame. @returns {Promise<OpenDocument>} */
export async function openPicture(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const size = await sizeOf(bytes);
  return pictures([size], () => drawnOf(bytes));
}

/**
 * One page per picture in the file. Pages that are broken or too large don't affect the others.
 * @returns {Promise<OpenDocument>}
 */
export async function openTiff(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const { pages = 1 } = await sure(() => sharp(bytes, { limitInputPixels: false }).metadata());
  if (pages > MAX_PAGES) throw new Refusal('too-many-pages');
  /** @type {Size[]} */
  const sizes = [];
  /** @type {Refusal[]} */
  const refused = [];
  for (let page = 0; page < pages; page++) {
    try {
      sizes.push(await sizeOf(bytes, page));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error);
      sizes.push([0, 0]);
    }
  }
  if (refused.length === pages) throw refused[0];
  return pictures(sizes, (page) => drawnOf(bytes, page - 1));
}

/**
 * An SVG has no pixels of its own, so it is sharp at any width. It is read from memory, so that it has no base URL from
 * which references could be resolved.
 * @returns {Promise<OpenDocument>}
 */
export async function openSvg(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const { size, growth } = await sizeOfDrawing(bytes);
  return pictures(
    [size],
    (_page, width) => {
      const density = Math.min(Math.max(DENSITY * (width / size[0]) ** (1 / growth), DENSITIES[0]), DENSITIES[1]);
      return sharp(bytes, { limitInputPixels: MAX_PIXELS, density });
    },
    { grows: true },
  );
}

/**
 * Measures an SVG, also one of only a few pixels, and the power of the density with which it grows: 1, or 2 when its
 * size is in centimetres or points, because the library then applies the density to both the unit and the drawing.
 * @returns {Promise<{ size: Size, growth: number }>}
 */
async function sizeOfDrawing(/** @type {Buffer} */ bytes) {
  const [width, height] = await sizeOf(bytes);
  const isSmall = Math.max(width, height) < SMALL;
  // A large SVG must not be enlarged.
  const factor = isSmall ? 10 : 0.5;
  const options = { limitInputPixels: false, density: factor * DENSITY };
  const grown = await sure(() => sharp(bytes, options).metadata());
  const growth = Math.max(1, Math.round(Math.log(grown.width / width) / Math.log(factor)));
  const size = isSmall ? [grown.width, grown.height].map((side) => side / factor ** growth) : [width, height];
  return { size: /** @type {Size} */ (size), growth };
}

/**
 * Photos of phones. The library applies the orientation itself. `decode.all` returns the dimensions first; otherwise
 * the library would allocate what the header claims.
 * @returns {Promise<OpenDocument>}
 */
export async function openHeic(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const size = await inHeic(bytes, ({ width, height }) => within([width, height]));
  return pictures([size], () =>
    inHeic(bytes, async (photo) => {
      const { data, width, height } = await photo.decode();
      return sharp(data, { raw: { width, height, channels: 4 } });
    }),
  );
}

/**
 * Runs `work` with the first picture of a file.
 * @template T
 * @param {Buffer} buffer
 * @param {(photo: import('heic-decode').Photo) => T | Promise<T>} work
 */
async function inHeic(buffer, work) {
  const { default: decode } = await import('heic-decode');
  return sure(async () => {
    const photos = await decode.all({ buffer });
    try {
      return await work(photos[0]);
    } finally {
      photos.dispose();
    }
  });
}

/**
 * @param {Size[]} sizes of its pages
 * @param {(page: number, width: number) => sharp.Sharp | Promise<sharp.Sharp>} read opens a page for rendering at that
 *   width
 * @param {{ grows: boolean }} options whether it can be enlarged beyond its size
 * @returns {OpenDocument}
 */
function pictures(sizes, read, { grows } = { grows: false }) {
  return {
    sizes,
    draw: (page, widths) =>
      sure(async () => {
        const [ownWidth, ownHeight] = sizes[page - 1];
        if (ownWidth === 0) throw new Refusal('damaged');
        const wanted = Math.max(...widths);
        const [width, height] = pixelsOf(ownWidth, ownHeight, grows ? wanted : Math.min(wanted, ownWidth));
        const drawn = (await read(page, width)).resize(width, height, { fit: 'fill' }).flatten({ background: PAPER });
        const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true });
        return packed(data, { width: info.width, height: info.height, channels: info.channels }, widths);
      }),
    text: () => ({ words: [], links: [], hasHidden: false }),
    outline: () => [],
    attachments: [],
    attachment: () => {
      throw new Refusal('no-page');
    },
    close: () => undefined,
  };
}

/** Returns the picture with its orientation applied. */
function drawnOf(/** @type {Buffer} */ bytes, page = 0) {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', page }).autoOrient();
}

/** Returns the dimensions from the header, with the orientation applied. @returns {Promise<Size>} */
async function sizeOf(/** @type {Buffer} */ bytes, page = 0) {
  const { autoOrient } = await sure(() => sharp(bytes, { limitInputPixels: false, page }).metadata());
  return within([autoOrient.width, autoOrient.height]);
}

/** @returns {Size} */
function within(/** @type {Size} */ size) {
  const [width, height] = size;
  if (!(width > 0 && height > 0)) throw new Refusal('damaged');
  if (width * height > MAX_PIXELS) throw new Refusal('too-large');
  return size;
}

/**
 * Converts errors of the image libraries into refusals; only a lack of memory isn't the picture's fault.
 * @template T
 * @param {() => T | Promise<T>} work
 */
async function sure(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal || error instanceof WebAssembly.RuntimeError) throw error;
    if (/out of memory|allocat/i.test(error.message)) throw new OutOfMemory(error.message);
    throw new Refusal('damaged');
  }
}
