/**
 * Opens pictures in the rendering process: documents of one page, and multi-page scans. The claimed dimensions are
 * checked before any pixel is decoded. Pictures have no text.
 */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { MAX_PAGES, OutOfMemoryError, DocumentError } from './pdfium-module.mjs';
import { encodePage, fitIntoPixels } from './image-encoder.mjs';

/** Maximum decoded pixels: enough for cameras, but less than what a few bytes can claim. */
const MAX_PIXELS = 50_000_000;
/** DPI at which a unit of an SVG is one pixel, and the range at which it can be rendered. */
const DEFAULT_DENSITY = 72;
const DENSITY_RANGE = [1, 100_000];
/** SVGs smaller than this, in pixels, are measured at ten times the density. */
const SMALL_SVG = 1000;
const BACKGROUND = '#ffffff';

/** @typedef {import('./pdfium-module.mjs').OpenDocument} OpenDocument */
/** Width and height in pixels. @typedef {[number, number]} Size */

/** Formats that browsers show; of an animation, the first frame. @returns {Promise<OpenDocument>} */
export async function openPicture(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const size = await readSize(bytes);
  return createDocument([size], () => openImage(bytes));
}

/**
 * One page per picture in the file. Pages that are broken or too large don't affect the others.
 * @returns {Promise<OpenDocument>}
 */
export async function openTiff(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const { pages = 1 } = await withDocumentErrors(() => sharp(bytes, { limitInputPixels: false }).metadata());
  if (pages > MAX_PAGES) throw new DocumentError('too-many-pages');
  /** @type {Size[]} */
  const sizes = [];
  /** @type {DocumentError[]} */
  const errors = [];
  for (let page = 0; page < pages; page++) {
    try {
      sizes.push(await readSize(bytes, page));
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      errors.push(error);
      sizes.push([0, 0]);
    }
  }
  if (errors.length === pages) throw errors[0];
  return createDocument(sizes, (page) => openImage(bytes, page - 1));
}

/**
 * An SVG has no pixels of its own, so it is sharp at any width. It is read from memory, so that it has no base URL from
 * which references could be resolved.
 * @returns {Promise<OpenDocument>}
 */
export async function openSvg(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const { size, densityExponent } = await measureSvg(bytes);
  return createDocument(
    [size],
    (_page, width) => {
      const density = Math.min(
        Math.max(DEFAULT_DENSITY * (width / size[0]) ** (1 / densityExponent), DENSITY_RANGE[0]),
        DENSITY_RANGE[1],
      );
      return sharp(bytes, { limitInputPixels: MAX_PIXELS, density });
    },
    { isScalable: true },
  );
}

/**
 * Measures an SVG, also one of only a few pixels, and the power of the density with which it grows: 1, or 2 when its
 * size is in centimetres or points, because the library then applies the density to both the unit and the image.
 * @returns {Promise<{ size: Size, growth: number }>}
 */
async function measureSvg(/** @type {Buffer} */ bytes) {
  const [width, height] = await readSize(bytes);
  const isSmall = Math.max(width, height) < SMALL_SVG;
  // A large SVG must not be enlarged.
  const factor = isSmall ? 10 : 0.5;
  const options = { limitInputPixels: false, density: factor * DEFAULT_DENSITY };
  const enlarged = await withDocumentErrors(() => sharp(bytes, options).metadata());
  const densityExponent = Math.max(1, Math.round(Math.log(enlarged.width / width) / Math.log(factor)));
  const size = isSmall
    ? [enlarged.width, enlarged.height].map((side) => side / factor ** densityExponent)
    : [width, height];
  return { size: /** @type {Size} */ (size), densityExponent };
}

/**
 * Photos of phones. The library applies the orientation itself. `decode.all` returns the dimensions first; otherwise
 * the library would allocate what the header claims.
 * @returns {Promise<OpenDocument>}
 */
export async function openHeic(/** @type {string} */ path) {
  const bytes = readFileSync(path);
  const size = await withHeicPhoto(bytes, ({ width, height }) => checkSize([width, height]));
  return createDocument([size], () =>
    withHeicPhoto(bytes, async (photo) => {
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
async function withHeicPhoto(buffer, work) {
  const { default: decode } = await import('heic-decode');
  return withDocumentErrors(async () => {
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
 * @param {(page: number, width: number) => sharp.Sharp | Promise<sharp.Sharp>} openPage opens a page for rendering at
 *   that width
 * @param {{ grows: boolean }} options whether it can be enlarged beyond its size
 * @returns {OpenDocument}
 */
function createDocument(sizes, openPage, { isScalable } = { isScalable: false }) {
  return {
    sizes,
    renderPage: (page, widths) =>
      withDocumentErrors(async () => {
        const [ownWidth, ownHeight] = sizes[page - 1];
        if (ownWidth === 0) throw new DocumentError('damaged');
        const maxWidth = Math.max(...widths);
        const [width, height] = fitIntoPixels(
          ownWidth,
          ownHeight,
          isScalable ? maxWidth : Math.min(maxWidth, ownWidth),
        );
        const picture = (await openPage(page, width))
          .resize(width, height, { fit: 'fill' })
          .flatten({ background: BACKGROUND });
        const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
        return encodePage(data, { width: info.width, height: info.height, channels: info.channels }, widths);
      }),
    extractText: () => ({ words: [], links: [], hasHidden: false }),
    readOutline: () => [],
    attachments: [],
    extractAttachment: () => {
      throw new DocumentError('no-page');
    },
    close: () => undefined,
  };
}

/** Returns the picture with its orientation applied. */
function openImage(/** @type {Buffer} */ bytes, page = 0) {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', page }).autoOrient();
}

/** Returns the dimensions from the header, with the orientation applied. @returns {Promise<Size>} */
async function readSize(/** @type {Buffer} */ bytes, page = 0) {
  const { autoOrient } = await withDocumentErrors(() => sharp(bytes, { limitInputPixels: false, page }).metadata());
  return checkSize([autoOrient.width, autoOrient.height]);
}

/** @returns {Size} */
function checkSize(/** @type {Size} */ size) {
  const [width, height] = size;
  if (!(width > 0 && height > 0)) throw new DocumentError('damaged');
  if (width * height > MAX_PIXELS) throw new DocumentError('too-large');
  return size;
}

/**
 * Converts errors of the image libraries into document errors; only a lack of memory isn't the picture's fault.
 * @template T
 * @param {() => T | Promise<T>} work
 */
async function withDocumentErrors(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocumentError || error instanceof WebAssembly.RuntimeError) throw error;
    if (/out of memory|allocat/i.test(error.message)) throw new OutOfMemoryError(error.message);
    throw new DocumentError('damaged');
  }
}
