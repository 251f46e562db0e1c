import { fileTypeFromBuffer } from 'file-type';
import { loadSharp } from '../../platform/images/load-sharp.js';
import { accountErrors } from './account.errors.js';

/** Width and height of stored pictures, in pixels. */
const SIDE = 256;
/** Pixels that a picture may unfold to: what cameras make, and not what a few bytes can claim. */
const MAX_PIXELS = 64_000_000;
const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const SECONDS = 10;

/**
 * Makes the stored form of a picture: a square WebP without anything that the original carried beside its pixels
 * (place, camera, appended data). The type is told from the bytes; vector formats, which can hold programs, are none.
 * @throws PICTURE_TYPE, PICTURE_UNREADABLE
 */
export async function toSquare(bytes: Buffer): Promise<Buffer> {
  if (!TYPES.has(await typeOf(bytes))) throw accountErrors.PICTURE_TYPE();
  const sharp = await loadSharp();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer();
  } catch {
    throw accountErrors.PICTURE_UNREADABLE();
  }
}

async function typeOf(bytes: Buffer): Promise<string> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime ?? '';
  } catch {
    return '';
  }
}
