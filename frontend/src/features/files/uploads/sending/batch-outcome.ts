import { PROXY_BODY_LIMIT } from '../../../../shared/api/proxy-body-limit';
import { ApiError, hasCode } from '../../../../shared/api/api-error';
import { foldCase } from '../../../../shared/format/case-folding';
import type { StoredFile, UploadItem } from './upload-item';

/** Errors of a batch request that may be caused by a single file, or that don't occur if each file is sent alone. */
const SINGLE_FILE_ERRORS = [
  ...['INVALID_NAME', 'FILE_TOO_LARGE', 'VALIDATION_FAILED', 'UPLOAD_MALFORMED', 'TOO_MANY_FILES'],
  PROXY_BODY_LIMIT,
];

interface ItemUpdate {
  readonly ids: readonly number[];
  readonly changes: Partial<UploadItem>;
}

const resetChanges: Partial<UploadItem> = { sent: 0, waitReason: undefined, batchKey: undefined };
const idsOf = (items: readonly UploadItem[]) => items.map(({ id }) => id);

/**
 * Returns the changes to the items of a failed batch. Files that may have caused the error are separated, and the
 * others are sent without them.
 */
export function resolveBatchError(items: readonly UploadItem[], error: unknown): readonly ItemUpdate[] {
  const conflicting = hasCode(error, 'DUPLICATE_NAMES')
    ? items.filter(({ file }) => isConflictingName(error, file.name))
    : [];
  if (conflicting.length > 0) {
    const rest = items.filter((item) => !conflicting.includes(item));
    return [
      { ids: idsOf(conflicting), changes: { ...resetChanges, state: 'duplicate', error } },
      { ids: idsOf(rest), changes: { ...resetChanges, state: 'pending' } },
    ];
  }
  if (hasCode(error, ...SINGLE_FILE_ERRORS)) {
    return [{ ids: idsOf(items), changes: { ...resetChanges, state: 'pending', sendAlone: true } }];
  }
  // Without a response it isn't known whether the files were stored, so the retry keeps the same idempotency key.
  const isOutcomeUnknown = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  const { batchKey, ...rest } = resetChanges;
  return [{ ids: idsOf(items), changes: { ...rest, ...(!isOutcomeUnknown && { batchKey }), state: 'error', error } }];
}

function isConflictingName({ body }: ApiError, name: string): boolean {
  return Array.isArray(body.names) && body.names.some((takenName) => foldCase(String(takenName)) === foldCase(name));
}

/**
 * Returns the IDs of files that were stored although they are no longer wanted: they were cancelled when the request
 * couldn't be stopped any more.
 */
export function findUnwantedIds(wanted: readonly UploadItem[], stored: readonly StoredFile[]): readonly number[] {
  const names = new Set(wanted.map(({ file }) => foldCase(file.name)));
  return stored.filter(({ originalName }) => !names.has(foldCase(originalName))).map(({ id }) => id);
}
