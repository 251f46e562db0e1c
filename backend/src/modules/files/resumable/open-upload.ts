import { DAY } from '../../../platform/clock/clock.js';
import type { Intent } from '../upload-intents.service.js';

/** An upload that nobody has gone on with for this long is given up, and its place in the plan is given back. */
export const RESUMABLE_FOR = DAY;

/** A resumable upload, under way or done. */
export interface ResumableState {
  /** Random. */
  readonly id: string;
  readonly userId: number;
  readonly zoneId: number;
  readonly folderId: number | null;
  readonly name: string;
  readonly rename: boolean;
  /** Bytes announced. */
  readonly length: number;
  /** Bytes stored; as many as announced if and only if there is a file. */
  readonly received: number;
  readonly expiresAt: Date;
  /** The reservation, while it is under way. */
  readonly intent: Intent | null;
  /** The file that it has become. */
  readonly fileId: number | null;
}

export type OpenUpload = ResumableState & { readonly intent: Intent };

export function isOpen(upload: ResumableState): upload is OpenUpload {
  return upload.intent !== null;
}
