import type { IncomingMessage } from 'node:http';
import { readSmallForm } from '../../platform/http/small-form.js';
import { fieldError } from '../../platform/http/validation.js';
import { MIB } from '../../platform/text/sizes.js';
import { accountErrors } from './account.errors.js';

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
