import type { IncomingMessage } from 'node:http';
import { readMultipartForm } from '../../../platform/http/parsing/multipart-form.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { MIB } from '../../../platform/text/byte-units.js';
import { accountErrors } from '../account.errors.js';
import { fileTypeFromBuffer } from 'file-type';
import { loadSharp } from '../../../platform/rendering/load-sharp.js';

/** Most bytes of a picture. */
export const MAX_PICTURE_BYTES = 5 * MIB;

const pictureRequired = (field: string) =>
  fieldError(field, { en: 'Please choose a picture.', tr: 'Lütfen bir resim seçin.' });

/**
 * Reads the one picture of a multipart body, from the field `file`, and nothing else.
 * @throws PICTURE_TOO_LARGE while it comes in, VALIDATION_FAILED without a picture, BAD_REQUEST for a broken body
 */
export async function readPicture(request: IncomingMessage): Promise<Buffer> {
  const { file, fields } = await readMultipartForm(request, {
    maxFile: MAX_PICTURE_BYTES,
    tooLarge: accountErrors.PICTURE_TOO_LARGE,
    wrongFile: pictureRequired,
  });
  const [unexpectedField] = fields.keys();
  if (unexpectedField !== undefined) throw pictureRequired(unexpectedField);
  if (file.length === 0) throw pictureRequired('file');
  return file;
}

/** Width and height of stored pictures, in pixels. */
const SIZE_PX = 256;
/** Pixels that a picture may unfold to: what cameras make, and not what a few bytes can claim. */
const MAX_PIXELS = 64_000_000;
const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const TIMEOUT_SECONDS = 10;

/**
 * Makes the stored form of a picture: a square WebP without anything that the original carried beside its pixels
 * (place, camera, appended data). The type is told from the bytes; vector formats, which can hold programs, are none.
 * @throws PICTURE_TYPE, PICTURE_UNREADABLE
 */
export async function toSquareWebp(bytes: Buffer): Promise<Buffer> {
  if (!TYPES.has(await detectType(bytes))) throw accountErrors.PICTURE_TYPE();
  const sharp = await loadSharp();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize(SIZE_PX, SIZE_PX, { fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer();
  } catch {
    throw accountErrors.PICTURE_UNREADABLE();
  }
}

async function detectType(bytes: Buffer): Promise<string> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime ?? '';
  } catch {
    return '';
  }
}
