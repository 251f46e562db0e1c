import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';
import type { Multipart } from '../../platform/storage/multipart.js';

export interface DeletedObjects {
  objectKeys: string[];
  /** Multipart uploads that are discarded first. */
  multiparts?: Multipart[];
}

/**
 * Deletes objects from storage after their rows were deleted. Retries for a week while the storage is unavailable or
 * belongs to another installation.
 */
export const deleteObjects = defineJob<DeletedObjects>('files.delete-objects', {
  queue: 'default',
  maxAttempts: 180,
});

export interface SweepStopped {
  userId: number;
  objects: number;
  strays: number;
}

/** Emails a super admin that the weekly comparison stopped because it would have removed too many objects. */
export const notifySweepStopped = defineJob<SweepStopped>('files.notify-sweep-stopped', { queue: 'mail' });

/** Compares the objects in storage with the database rows, weekly in the night from Saturday to Sunday. */
export const sweepObjects = defineJob('files.sweep-objects', {
  queue: 'long',
  cron: '40 3 * * 0',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Deletes objects that have been in quarantine for 30 days. Runs every night. */
export const emptyQuarantine = defineJob('files.empty-quarantine', { queue: 'long', cron: '10 4 * * *' });

/** Generates the thumbnails of uploaded images. */
export const generateThumbnails = defineJob<{ fileIds: number[] }>('files.generate-thumbnails', {
  queue: 'images',
  maxAttempts: 5,
});

interface QueuedJob {
  /** Queue position penalty (see `FairSchedulerService`); no penalty if omitted. */
  readonly place?: number;
}

/** Renders the first pages of an uploaded document and its thumbnail. */
export const renderFirstPages = defineJob<QueuedJob & { fileId: number }>('files.render-first-pages', {
  queue: 'documents',
  maxAttempts: 5,
});

/**
 * Converts a document to PDF with LibreOffice; its pages are rendered from the PDF afterwards. `isRepeat`: an earlier
 * attempt took too long.
 */
export const convertDocument = defineJob<QueuedJob & { fileId: number; isRepeat?: boolean }>('files.convert-document', {
  queue: 'office',
  maxAttempts: 5,
});

/**
 * Extracts the texts of the next pages of a document whose first pages are rendered. `faults`: number of pages that
 * have failed so far.
 */
export const extractTexts = defineJob<QueuedJob & { fileId: number; faults: number }>('files.extract-texts', {
  queue: 'documents',
});

/** Deletes versions of files beyond the number and age that their zone keeps. Runs every night. */
export const expireVersions = defineJob('files.expire-versions', { queue: 'maintenance', cron: '50 2 * * *' });

/** Marks trash entries older than 30 days for permanent deletion. */
export const expireTrash = defineJob('files.expire-trash', { queue: 'maintenance', cron: '25 * * * *' });

/** Permanently deletes the marked trash entries of a zone. */
export const purgeTrash = defineJob<{ zoneId: number }>('files.purge-trash', { queue: 'default' });

/** Deletes records of transfers that can no longer be undone. */
export const expireTransfers = defineJob('files.expire-transfers', { queue: 'maintenance', cron: '35 * * * *' });

/**
 * Reads an upload that a browser has sent to the bucket, and makes it a file. `uploadId`: its reservation. Retries while
 * the storage is unavailable; the upload expires before the attempts end.
 */
export const checkDirectUpload = defineJob<{ uploadId: number }>('files.check-direct-upload', {
  queue: 'uploads',
  maxAttempts: 180,
});

/** Cleans up after aborted uploads that could not clean up after themselves. */
export const sweepUploads = defineJob('files.sweep-uploads', { queue: 'maintenance', cron: '*/10 * * * *' });
