import type { IncomingMessage } from 'node:http';
import { readSmallForm } from '../../../platform/http/reading/small-form.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import { MIB } from '../../../platform/text/sizes.js';
import { accountErrors } from '../account.errors.js';
import { fileTypeFromBuffer } from 'file-type';
import { loadSharp } from '../../../platform/drawing/load-sharp.js';

/** Most bytes of a picture. */
export const MAX_PICTURE = 5 * MIB;

const missing = (field: string) => fieldError(field, { en: 'Please choose a picture.', tr: 'Lütfen bir resim seçin.' });

/**
 * Reads the one picture of a multipart body, from the field `file`, and nothing else.
 * @throws PICTURE_TOO_LARGE while it comes in, VALIDATION_FAILED without a picture, BAD_REQUEST for a broken body
 */
export async function readPicture(request: IncomingMessage): Promise<Buffer> {
  const { file, fields } = await readSmallForm(request, {
    maxFile: MAX_PICTURE,
    tooLarge: accountErrors.PICTURE_TOO_LARGE,
    wrongFile: missing,
  });
  const [stranger] = fields.keys();
  if (stranger !== undefined) throw missing(stranger);
  if (file.length === 0) throw missing('file');
  return file;
}

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
