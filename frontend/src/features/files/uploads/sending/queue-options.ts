import type { StoredFile, FileMetadata, UploadItem, UploadTarget } from './upload-item';

/** What is told of a file on its way. */
export interface ProgressReport {
  /** How much has left, from 0 to 1. */
  readonly sent?: number;
  /** What is waited for before it moves again (an `ApiError`). */
  readonly waitReason?: unknown;
  /** When it is tried again (milliseconds of `Date.now`); null while that is not known. */
  readonly resumesAt?: number | null;
}

export type OnProgress = (report: ProgressReport) => void;

/** An upload of an earlier page whose file is lost. */
export interface InterruptedUpload {
  readonly file: FileMetadata;
  readonly target: UploadTarget;
  readonly rename: boolean;
  /** From 0 to 1. */
  readonly sent: number;
}

/** What a queue works with. */
export interface UploadQueueOptions {
  /** Sends one file, from where it stands; an aborted signal must make it fail, and keeps what was sent. */
  send: (item: UploadItem, onProgress: OnProgress, signal: AbortSignal) => Promise<void>;
  /** Sends small files of one target in one request: all of them arrive, or none. Without it each goes alone. */
  sendBatch?: (
    items: readonly UploadItem[],
    key: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ) => Promise<readonly StoredFile[]>;
  /** Told of files that arrived although they had been cancelled. */
  onCancelledStored?: (fileIds: readonly number[]) => void;
  /** Told of each file that has arrived. */
  onStored?: (item: UploadItem) => void;
  /** Told of each file that will not be sent: the server may forget what it has of it. */
  onDiscarded?: (item: UploadItem) => void;
  /** Milliseconds. */
  now?: () => number;
}
