import { FRONT_LIMIT } from '../../../../shared/api/front-limit';
import { ApiError, hasCode } from '../../../../shared/api/api-error';
import { foldCase } from '../../../../shared/format/fold';
import type { StoredFile, UploadItem } from './upload-item';

/** Refusals of a request with several files that may concern one of them only, or that each of them avoids alone. */
const aboutOne = [
  ...['INVALID_NAME', 'FILE_TOO_LARGE', 'VALIDATION_FAILED', 'UPLOAD_MALFORMED', 'TOO_MANY_FILES'],
  FRONT_LIMIT,
];

interface Consequence {
  readonly ids: readonly number[];
  readonly changes: Partial<UploadItem>;
}

const before: Partial<UploadItem> = { sent: 0, waitsFor: undefined, batch: undefined };
const idsOf = (items: readonly UploadItem[]) => items.map(({ id }) => id);

/** What comes of it when a request with several files was refused: one of them may be why, and the others go on without it. */
export function refusedTogether(unit: readonly UploadItem[], error: unknown): readonly Consequence[] {
  const taken = hasCode(error, 'DUPLICATE_NAMES') ? unit.filter(({ file }) => isNamed(error, file.name)) : [];
  if (taken.length > 0) {
    const rest = unit.filter((item) => !taken.includes(item));
    return [
      { ids: idsOf(taken), changes: { ...before, state: 'duplicate', error } },
      { ids: idsOf(rest), changes: { ...before, state: 'pending' } },
    ];
  }
  if (hasCode(error, ...aboutOne)) {
    return [{ ids: idsOf(unit), changes: { ...before, state: 'pending', alone: true } }];
  }
  // Whether they arrived is not known when no answer came: the next try bears the same key.
  const isUnknown = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  const { batch, ...rest } = before;
  return [{ ids: idsOf(unit), changes: { ...rest, ...(!isUnknown && { batch }), state: 'error', error } }];
}

function isNamed({ body }: ApiError, name: string): boolean {
  return Array.isArray(body.names) && body.names.some((taken) => foldCase(String(taken)) === foldCase(name));
}

/** The ids of files that were stored although they are not wanted any more: they were cancelled when nothing could stop them. */
export function unwantedOf(wanted: readonly UploadItem[], stored: readonly StoredFile[]): readonly number[] {
  const names = new Set(wanted.map(({ file }) => foldCase(file.name)));
  return stored.filter(({ originalName }) => !names.has(foldCase(originalName))).map(({ id }) => id);
}
