import { hasCode } from '../../../../shared/api/api-error';

export interface UploadTarget {
  readonly zoneId: number;
  /** null for the root of the zone. */
  readonly folderId: number | null;
}

/** Describes a file whose bytes this page may not have (any more). */
export interface FileMetadata {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly type: string;
  readonly lastModified: number;
}

/**
 * `duplicate` waits for a decision about its name, `paused` for the user to resume, `interrupted` for its file to be
 * chosen again after a page reload.
 */
export type UploadState = 'pending' | 'uploading' | 'paused' | 'interrupted' | 'completed' | 'error' | 'duplicate';

/** A folder that is uploaded as a whole. */
export interface UploadFolder {
  /** Identifies this upload of it. */
  readonly id: string;
  readonly name: string;
}

export interface UploadItem {
  readonly id: number;
  /** The folder itself if `isFolder`. */
  readonly file: File | FileMetadata;
  readonly target: UploadTarget;
  readonly state: UploadState;
  /** Fraction sent, from 0 to 1. */
  readonly sent: number;
  /** All bytes are in the bucket, and the server reads them. */
  readonly isChecking?: boolean | undefined;
  /** The `ApiError` that it waits out; it resumes automatically afterwards. */
  readonly waitReason?: unknown;
  /** When it resumes (milliseconds of `Date.now`), if known. */
  readonly resumesAt?: number | null;
  /** Files that were dropped or chosen together form a group and are shown together. */
  readonly groupId: number;
  /** The uploaded folder that the file belongs to. */
  readonly folder?: UploadFolder;
  /** An interrupted upload of a folder, which must be chosen again. */
  readonly isFolder?: boolean;
  /** Idempotency key of the last batch request, if its outcome is unknown. */
  readonly batchKey?: string | undefined;
  /** This file may have caused the error of a batch, so it is sent alone. */
  readonly sendAlone?: boolean;
  readonly onConflict: ConflictChoice;
  /** The file that gets this content; the name of the uploaded file has no meaning then. */
  readonly replaces?: ReplacedFile;
  readonly error?: unknown;
  /** The maximum size that the file exceeds, in bytes. */
  readonly maxFileBytes?: number;
}

/** What happens if the name is taken: `refuse` asks, `rename` adds a number, `replace` gives that file this content. */
export type ConflictChoice = 'refuse' | 'rename' | 'replace';

export interface ReplacedFile {
  readonly id: number;
  /** The version that the person saw; if somebody has replaced it since, the upload is refused. */
  readonly version: number;
  readonly name: string;
}

/** A stored file of a batch. */
export interface StoredFile {
  readonly id: number;
  readonly originalName: string;
}

/** Failed for a reason that may pass. */
export function isRetryable({ state, error }: UploadItem): boolean {
  return state === 'error' && !hasCode(error, 'FILE_TOO_LARGE', 'FILE_CHANGED', 'FILE_TYPE_DIFFERS');
}

/** Pending or uploading. Once all bytes are sent the file is only being stored, and can't be paused any more. */
export function isPausable({ state, sent }: UploadItem): boolean {
  return state === 'pending' || (state === 'uploading' && sent < 1);
}

/** Whether two files are the same, as far as a browser can tell without reading them. */
export function isSameFile(a: FileMetadata, b: FileMetadata): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

export const isSameTarget = (a: UploadTarget, b: UploadTarget) => a.zoneId === b.zoneId && a.folderId === b.folderId;

export const sumSentBytes = (items: readonly UploadItem[]) =>
  items.reduce((sum, { file, sent }) => sum + file.size * sent, 0);

export interface UploadTotals {
  pending: number;
  uploading: number;
  paused: number;
  interrupted: number;
  completed: number;
  failed: number;
  duplicates: number;
  sentBytes: number;
  /** Of the files that are or will be sent. */
  totalBytes: number;
}

const COUNTED_STATES: readonly UploadState[] = ['pending', 'uploading', 'paused', 'completed'];

/** Returns the counts and bytes of all items together. */
export function computeTotals(items: readonly UploadItem[]): UploadTotals {
  const count = (state: UploadState) => items.filter((item) => item.state === state).length;
  const countedItems = items.filter(({ state }) => COUNTED_STATES.includes(state));
  return {
    pending: count('pending'),
    uploading: count('uploading'),
    paused: count('paused'),
    interrupted: count('interrupted'),
    completed: count('completed'),
    failed: count('error'),
    duplicates: count('duplicate'),
    sentBytes: sumSentBytes(countedItems),
    totalBytes: countedItems.reduce((sum, { file }) => sum + file.size, 0),
  };
}
