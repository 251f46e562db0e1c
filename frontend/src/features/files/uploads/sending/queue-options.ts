import type { StoredFile, LostFile, UploadItem, UploadTarget } from './upload-item';

/** What is told of a file on its way. */
export interface Report {
  /** How much has left, from 0 to 1. */
  readonly sent?: number;
  /** What is waited for before it moves again (an `ApiError`). */
  readonly waitsFor?: unknown;
  /** When it is tried again (milliseconds of `Date.now`); null while that is not known. */
  readonly goesOnAt?: number | null;
}

export type OnReport = (report: Report) => void;

/** An upload of an earlier page whose file is lost. */
export interface Interrupted {
  readonly file: LostFile;
  readonly target: UploadTarget;
  readonly rename: boolean;
  /** From 0 to 1. */
  readonly sent: number;
}

/** What a queue works with. */
export interface QueueOptions {
  /** Sends one file, from where it stands; an aborted signal must make it fail, and keeps what was sent. */
  send: (item: UploadItem, onReport: OnReport, signal: AbortSignal) => Promise<void>;
  /** Sends small files of one target in one request: all of them arrive, or none. Without it each goes alone. */
  sendBatch?: (
    items: readonly UploadItem[],
    key: string,
    onReport: OnReport,
    signal: AbortSignal,
  ) => Promise<readonly StoredFile[]>;
  /** Told of files that arrived although they had been cancelled. */
  onUnwanted?: (fileIds: readonly number[]) => void;
  /** Told of each file that has arrived. */
  onStored?: (item: UploadItem) => void;
  /** Told of each file that will not be sent: the server may forget what it has of it. */
  onDropped?: (item: UploadItem) => void;
  /** Milliseconds. */
  now?: () => number;
}
