import type { Schema } from '../../../shared/api/client';
import type { FileRequest } from './use-file-request';

const MEGABYTE = 2 ** 20;
const MAX_FILES = 1000;
const MAX_MEGABYTES = 1_000_000;

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The form's fields as text; empty fields are no limits. The deadline is in the time zone of the browser. */
export function toFields(request: FileRequest | null) {
  const closesAt = request?.closesAt ? new Date(request.closesAt) : null;
  return {
    instructions: request?.instructions ?? '',
    date: closesAt
      ? `${closesAt.getFullYear()}-${twoDigits(closesAt.getMonth() + 1)}-${twoDigits(closesAt.getDate())}`
      : '',
    time: closesAt ? `${twoDigits(closesAt.getHours())}:${twoDigits(closesAt.getMinutes())}` : '23:59',
    visibility: request?.isPrivate === false ? 'all' : 'private',
    maxFiles: request?.maxFilesPerPerson?.toString() ?? '',
    maxMegabytes: request?.maxFileBytes ? String(Math.round((request.maxFileBytes / MEGABYTE) * 1e6) / 1e6) : '',
  };
}

export type FileRequestFields = ReturnType<typeof toFields>;

/** Returns the terms; call it only with fields for which `findInvalidFields` returns none. */
export function toTerms({
  instructions,
  date,
  time,
  visibility,
  maxFiles,
  maxMegabytes,
}: FileRequestFields): Schema<'SaveFileRequestDto'> {
  return {
    isPrivate: visibility === 'private',
    instructions: instructions.trim() || null,
    closesAt: date ? new Date(`${date}T${time}`).toISOString() : null,
    maxFilesPerPerson: maxFiles.trim() ? Number(maxFiles) : null,
    maxFileBytes: maxMegabytes.trim() ? Math.round(parseDecimal(maxMegabytes) * MEGABYTE) : null,
  };
}

/** Returns the fields whose values can't be saved. */
export function findInvalidFields({ date, time, maxFiles, maxMegabytes }: FileRequestFields) {
  const files = Number(maxFiles);
  const megabytes = parseDecimal(maxMegabytes);
  return {
    date: date !== '' && Number.isNaN(Date.parse(`${date}T${time}`)),
    maxFiles: maxFiles.trim() !== '' && !(Number.isInteger(files) && files >= 1 && files <= MAX_FILES),
    maxMegabytes: maxMegabytes.trim() !== '' && !(megabytes * MEGABYTE >= 1 && megabytes <= MAX_MEGABYTES),
  };
}

/** Accepts a decimal comma, as in Turkish. */
const parseDecimal = (text: string) => Number(text.trim().replace(',', '.'));
