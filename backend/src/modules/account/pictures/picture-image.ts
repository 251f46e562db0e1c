import { ReadSmallFile, type SmallFile } from '../../../platform/http/parsing/read-small-file.decorator.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { MIB } from '../../../platform/text/byte-units.js';
import { accountErrors } from '../account.errors.js';
import { fileTypeFromBuffer } from 'file-type';
import { loadSharp } from '../../../platform/rendering/load-sharp.js';

export const MAX_PICTURE_BYTES = 5 * MIB;

const pictureRequired = (field: string) =>
  fieldError(field, { en: 'Please choose a picture.', tr: 'Lütfen bir resim seçin.' });

/** Reads the upload: a file in the field `file`, and nothing else. */
export const ReadPicture = () =>
  ReadSmallFile({ maxBytes: MAX_PICTURE_BYTES, tooLarge: accountErrors.PICTURE_TOO_LARGE, wrongFile: pictureRequired });

/** @throws VALIDATION_FAILED without a picture, and for other fields */
export function assertPicture(file: SmallFile | undefined, fields: object): Buffer {
  const [unexpectedField] = Object.keys(fields);
  if (unexpectedField !== undefined) throw pictureRequired(unexpectedField);
  if (!file?.buffer.length) throw pictureRequired('file');
  return file.buffer;
}

const SIZE_PX = 256;
/** Maximum number of decoded pixels: enough for cameras, but protects against decompression bombs. */
const MAX_PIXELS = 64_000_000;
const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const TIMEOUT_SECONDS = 10;

/**
 * Converts a picture to its stored form: a square WebP without metadata (location, camera, appended data). The type is
 * detected from the bytes. Vector formats are rejected because they can contain scripts.
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
