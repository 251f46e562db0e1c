/**
 * Pictures as the process that draws opens them: documents of one page, and scans of several. What a picture claims to
 * measure is asked before a pixel of it is made. Nothing of them is a word.
 */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { MAX_PAGES, OutOfMemory, Refusal } from './drawing-module.mjs';
import { packed, pixelsOf } from './drawing-pixels.mjs';

/** Pixels that a picture may unfold to: what cameras make, and not what a few bytes can claim. */
const MAX_PIXELS = 50_000_000;
/** Dots an inch of a drawing at which a dot of it is a pixel, and in which it can be drawn. */
const DENSITY = 72;
const DENSITIES = [1, 100_000];
/** Pixels of a drawing below which it is measured at a tenfold density. */
const SMALL = 1000;
const PAPER = '#ffffff';

/** @typedef {import('./drawing-module.mjs').OpenDocument} OpenDocument */
/** Width and height in pixels. @typedef {[number, number]} Size */

/** What browsers show; of a picture that moves, what is seen first. @returns {Promise<OpenDocument>} */
export async function openPicture(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const size = await sizeOf(bytes);
  return pictures([size], () => drawnOf(bytes));
}

/** A page for each picture that it holds. One that is broken or too large leaves the others. @returns {Promise<OpenDocument>} */
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
 * A drawing has no pixels of its own, so it is sharp in each width. It is read from memory: there is no address beside
 * which something that it names could be found. @returns {Promise<OpenDocument>}
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
 * The size of a drawing, also of one that measures a few pixels only, and by which power of the density it grows: 1, or 2 where
 * its size is given in centimetres or points, because the library applies the density to the unit and to the drawing.
 * @returns {Promise<{ size: Size, growth: number }>}
 */
async function sizeOfDrawing(/** @type {Buffer} */ bytes) {
  const [width, height] = await sizeOf(bytes);
  const isSmall = Math.max(width, height) < SMALL;
  // A large one may not be made larger.
  const factor = isSmall ? 10 : 0.5;
  const options = { limitInputPixels: false, density: factor * DENSITY };
  const grown = await sure(() => sharp(bytes, options).metadata());
  const growth = Math.max(1, Math.round(Math.log(grown.width / width) / Math.log(factor)));
  const size = isSmall ? [grown.width, grown.height].map((side) => side / factor ** growth) : [width, height];
  return { size: /** @type {Size} */ (size), growth };
}

/**
 * Photographs of phones. The library turns them upright itself; asked for all pictures it tells their sizes first, and
 * without that it makes room for what their head claims. @returns {Promise<OpenDocument>}
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
 * Works with the first picture of a file.
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
 * @param {(page: number, width: number) => sharp.Sharp | Promise<sharp.Sharp>} read a page, to be drawn as wide as that
 * @param {{ grows: boolean }} options whether it can be larger than it is
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

/** The picture as it stands upright. */
function drawnOf(/** @type {Buffer} */ bytes, page = 0) {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', page }).autoOrient();
}

/** How large it is when it stands upright, by what its head says. @returns {Promise<Size>} */
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
 * What the libraries for pictures cannot do, they say in words; only want of room is no fault of the picture.
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
