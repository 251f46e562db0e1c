import type {
  ConflictChoice,
  FileMetadata,
  ReplacedFile,
  StoredFile,
  UploadFolder,
  UploadItem,
  UploadTarget,
} from './upload-item';

/** Progress of an upload. */
export interface ProgressReport {
  /** Fraction sent, from 0 to 1. */
  readonly sent?: number;
  /** All bytes are in the bucket, and the server reads them before they become a file. */
  readonly isChecking?: boolean | undefined;
  /** The `ApiError` that the upload waits out before it continues. */
  readonly waitReason?: unknown;
  /** Time of the next attempt (milliseconds of `Date.now`); null while unknown. */
  readonly resumesAt?: number | null;
}

export type OnProgress = (report: ProgressReport) => void;

/** An upload of an earlier page load, whose file the page no longer has. */
export interface InterruptedUpload {
  readonly file: FileMetadata;
  readonly target: UploadTarget;
  readonly onConflict: ConflictChoice;
  readonly replaces?: ReplacedFile;
  /** From 0 to 1. */
  readonly sent: number;
  /** It is the upload of a whole folder. */
  readonly folder?: UploadFolder;
  readonly isFolder?: boolean;
}

export interface UploadQueueOptions {
  /** Sends one file from its current offset. An aborted signal must make it reject, without losing what was sent. */
  send: (item: UploadItem, onProgress: OnProgress, signal: AbortSignal) => Promise<void>;
  /**
   * Sends small files with the same target in one request: all of them are stored, or none. Without it, each file is
   * sent alone.
   */
  sendBatch?: (
    items: readonly UploadItem[],
    key: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ) => Promise<readonly StoredFile[]>;
  /** Called with the IDs of files that were stored although they had been cancelled. */
  onCancelledStored?: (fileIds: readonly number[]) => void;
  /** Called for each stored file. */
  onStored?: (item: UploadItem) => void;
  /** Called for each file that won't be sent: the server may delete its partial data. */
  onDiscarded?: (item: UploadItem) => void;
  /** Milliseconds. */
  now?: () => number;
}
