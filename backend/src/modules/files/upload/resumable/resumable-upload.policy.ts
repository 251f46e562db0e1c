import { DAY } from '../../../../platform/clock/clock.js';
import { AppError } from '../../../../platform/errors/app-error.js';
import type { NameConflictRule } from '../file-upload.service.js';
import type { Reservation } from '../upload-reservation.service.js';

/** An upload that has not been continued for this long expires, and its reservation is released. */
export const RESUMABLE_LIFETIME = DAY;

/** Errors after which an upload can never become a file; its reservation is released immediately. */
const PERMANENT_ERRORS = new Set([
  ...['ZONE_NOT_FOUND', 'ZONE_FORBIDDEN', 'FOLDER_NOT_FOUND', 'MIRROR_READ_ONLY'],
  ...['FILE_NOT_FOUND', 'FILE_CHANGED', 'FILE_TYPE_DIFFERS', 'FILE_REQUEST_CLOSED', 'FILE_REQUEST_LIMIT'],
]);

/** A resumable upload, active or completed. */
export interface ResumableState {
  /** Random. */
  readonly id: string;
  readonly userId: number;
  readonly zoneId: number;
  readonly folderId: number | null;
  readonly name: string;
  readonly onConflict: NameConflictRule;
  /** The file whose content the upload replaces; null if it creates a file. */
  readonly replaces: number | null;
  /** Version that the replaced file must still have; null: any. */
  readonly ifVersion: number | null;
  /** Announced size in bytes. */
  readonly length: number;
  /** Bytes stored; equals `length` if and only if `fileId` is set. */
  readonly received: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The reservation while the upload is active. */
  readonly reservation: Reservation | null;
  /** The file created or replaced by the upload. */
  readonly fileId: number | null;
}

export interface ActiveUpload extends ResumableState {
  readonly reservation: Reservation;
}

/** An upload that one request may write. */
export interface ClaimedUpload extends ActiveUpload {
  /** Changes only if another request claims the upload while this one writes. */
  readonly generation: number;
}

export function isActive(upload: ResumableState): upload is ActiveUpload {
  return upload.reservation !== null;
}

export type NewUpload = Pick<
  ResumableState,
  'id' | 'name' | 'zoneId' | 'folderId' | 'onConflict' | 'replaces' | 'ifVersion' | 'length'
>;

/** Whether the text can be the id of an upload; other values are not looked up. */
export function isUploadId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Whether an upload that failed with this error can never become a file. */
export function isPermanentFailure(error: unknown): boolean {
  return error instanceof AppError && PERMANENT_ERRORS.has(error.code);
}
