import { ReadSmallFile, type SmallFile } from '../../../platform/http/parsing/read-small-file.decorator.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { MIB } from '../../../platform/text/byte-units.js';
import { importErrors } from '../zones.errors.js';

/** Maximum file size in bytes, far more than the maximum number of rows needs. */
export const MAX_FILE_BYTES = 8 * MIB;
export type ImportMode = 'invite' | 'add';

export interface ImportForm {
  readonly file: Buffer;
  readonly dryRun: boolean;
  readonly mode: ImportMode;
  readonly consentConfirmed: boolean;
  /** Whether added people are notified by email. */
  readonly notify: boolean;
}

const FLAGS_AND_MODE = ['dryRun', 'mode', 'consentConfirmed', 'tell'];

const fileMissing = { en: 'Please choose a CSV file.', tr: 'Lütfen bir CSV dosyası seçin.' };
const unknownField = { en: 'Unknown field.', tr: 'Bilinmeyen alan.' };
const notifyRequiresAddMode = {
  en: 'Only people you add can be notified. Invitations are always sent by email.',
  tr: 'Yalnızca eklediğiniz kişilere bildirim gönderilebilir. Davetler her zaman e-postayla gönderilir.',
};
const mustBeBoolean = { en: 'This must be true or false', tr: 'Bu değer true veya false olmalıdır' };

/** Reads the form: one file in the field `file` and the options, in any order. */
export const ReadImportFile = () =>
  ReadSmallFile({
    maxBytes: MAX_FILE_BYTES,
    tooLarge: importErrors.IMPORT_TOO_LARGE,
    wrongFile: (field) => fieldError(field, field === 'file' ? fileMissing : unknownField),
  });

/** @throws VALIDATION_FAILED for a field */
export function parseImportForm(upload: SmallFile | undefined, body: Record<string, unknown>): ImportForm {
  const file = upload?.buffer ?? Buffer.alloc(0);
  const fields = new Map(Object.entries(body));
  const unknownName = [...fields.keys()].find((name) => !FLAGS_AND_MODE.includes(name));
  if (unknownName !== undefined) throw fieldError(unknownName, unknownField);
  if (file.length === 0) throw fieldError('file', fileMissing);
  const mode = fields.get('mode') ?? 'invite';
  if (mode !== 'invite' && mode !== 'add') {
    throw fieldError('mode', { en: 'mode must be invite or add', tr: 'mode: invite veya add olmalıdır' });
  }
  const [dryRun, consentConfirmed, tell] = [
    parseFlag(fields, 'dryRun'),
    parseFlag(fields, 'consentConfirmed'),
    parseFlag(fields, 'tell'),
  ];
  if (tell && mode !== 'add') throw fieldError('tell', notifyRequiresAddMode);
  if (mode === 'add' && !dryRun && !consentConfirmed) {
    throw fieldError('consentConfirmed', {
      en: 'Please confirm that these people agreed to receive your emails.',
      tr: 'Lütfen bu kişilerin e-postalarınızı almayı kabul ettiğini onaylayın.',
    });
  }
  return { file, dryRun, mode, consentConfirmed, notify: tell };
}

function parseFlag(fields: ReadonlyMap<string, unknown>, name: string): boolean {
  const value = fields.get(name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw fieldError(name, mustBeBoolean);
  return value === 'true';
}
