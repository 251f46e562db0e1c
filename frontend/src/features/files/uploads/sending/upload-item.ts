import { hasCode } from '../../../../shared/api/api-error';

export interface UploadTarget {
  readonly zoneId: number;
  /** null is the root of the zone. */
  readonly folderId: number | null;
}

/** What is known of a file whose bytes this page does not have (any more). */
export interface FileMetadata {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly type: string;
  readonly lastModified: number;
}

/**
 * `duplicate` waits for a decision about its name, `paused` for somebody to go on, `interrupted` for its file to be
 * chosen again: a page that was loaded anew has lost it.
 */
export type UploadState = 'pending' | 'uploading' | 'paused' | 'interrupted' | 'completed' | 'error' | 'duplicate';

export interface UploadItem {
  readonly id: number;
  readonly file: File | FileMetadata;
  readonly target: UploadTarget;
  readonly state: UploadState;
  /** How much has left, from 0 to 1. */
  readonly sent: number;
  /** Why it does not move at the moment (an `ApiError`); it goes on by itself when that has passed. */
  readonly waitReason?: unknown;
  /** When it goes on (milliseconds of `Date.now`), where that is known. */
  readonly resumesAt?: number | null;
  /** The drop, or the choice, with which it came: what came together is shown together. */
  readonly groupId: number;
  /** The key of the request with others in which it was sent last, when it is not known what became of that. */
  readonly batchKey?: string | undefined;
  /** What is wrong with a request with others may be wrong with this one, so it goes alone. */
  readonly sendAlone?: boolean;
  /** Takes a number when its name is taken. */
  readonly rename: boolean;
  readonly error?: unknown;
}

/** What became of one file of a batch. */
export interface StoredFile {
  readonly id: number;
  readonly originalName: string;
}

/** Failed, and not for a reason that stays. */
export function isRetryable({ state, error }: UploadItem): boolean {
  return state === 'error' && !hasCode(error, 'FILE_TOO_LARGE');
}

/** Waits or moves; what has left whole is only being stored, and cannot be held up any more. */
export function isPausable({ state, sent }: UploadItem): boolean {
  return state === 'pending' || (state === 'uploading' && sent < 1);
}

/** The same file as far as a browser can tell without reading it. */
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
  /** Of the files that are sent or will be. */
  totalBytes: number;
}

const COUNTED_STATES: readonly UploadState[] = ['pending', 'uploading', 'paused', 'completed'];

/** Counts and bytes of all files together. */
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
