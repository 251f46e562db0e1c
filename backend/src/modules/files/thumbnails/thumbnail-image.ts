import type { Readable } from 'node:stream';
import type { ImageLibrary } from '../../../platform/rendering/load-sharp.js';

/** Maximum size of a thumbnail in pixels: twice the size of a card, for high-density screens. */
const MAX_WIDTH = 480;
const MAX_HEIGHT = 360;
/** Maximum number of pixels of the decoded image. Enough for camera photos, but guards against decompression bombs. */
const MAX_PIXELS = 50_000_000;
const TIMEOUT_SECONDS = 20;

/** An image that will never be readable. */
export class UnreadableImageError extends Error {}

/**
 * Creates a small WebP from an image, without its metadata; of an animation, the first frame. Keeps the aspect ratio
 * and does not enlarge small images.
 * @throws UnreadableImageError if the image is broken, too large or takes too long; errors of the source are passed on
 */
export async function createThumbnail(sharp: ImageLibrary, source: Readable): Promise<Buffer> {
  const image = sharp({ limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1, sequentialRead: true });
  const small = image
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize(MAX_WIDTH, MAX_HEIGHT, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer();
  small.catch(() => undefined);
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      if (!image.write(chunk)) await new Promise((resolve) => image.once('drain', resolve));
    }
  } finally {
    image.end();
  }
  try {
    return await small;
  } catch (error) {
    throw new UnreadableImageError('The image could not be read.', { cause: error });
  }
}
