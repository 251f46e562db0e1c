import type { Readable } from 'node:stream';
import type { ImageLibrary } from '../../../platform/rendering/load-sharp.js';
import { MIB } from '../../../platform/text/byte-units.js';

/** Most pixels of a thumbnail, twice what a card shows, for sharp screens. */
const MAX_WIDTH = 480;
const MAX_HEIGHT = 360;
/** Pixels that an image may unfold to: what cameras make, and not what a few bytes can claim. */
const MAX_PIXELS = 50_000_000;
/** Bytes of an image; it is held in memory while the small one is made. */
export const MAX_IMAGE_BYTES = 32 * MIB;
const TIMEOUT_SECONDS = 20;

/** An image that cannot be read, now or ever. */
export class UnreadableImageError extends Error {}

/**
 * Makes a small WebP of an image, without anything that it carried beside its pixels; of a moving one, its first
 * picture. The image's proportions stay, and a small one is not made larger.
 * @throws UnreadableImageError for what is broken, too large or takes too long; faults of the source pass
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
