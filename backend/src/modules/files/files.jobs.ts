import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

/** Removes objects from the storage whose rows are gone. It waits for a week while the storage is away, or somebody else's. */
export const deleteObjects = defineJob<{ objectKeys: string[] }>('files.delete-objects', {
  queue: 'default',
  maxAttempts: 180,
});

export interface SweepStopped {
  userId: number;
  objects: number;
  strays: number;
}

/** Tells a super admin that the weekly comparison has stopped, because too many objects would have gone. */
export const notifySweepStopped = defineJob<SweepStopped>('files.tell-sweep-stopped', { queue: 'mail' });

/** Compares what the storage holds with what the database names, once a week in the night from Saturday to Sunday. */
export const sweepObjects = defineJob('files.sweep-objects', {
  queue: 'long',
  cron: '40 3 * * 0',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Removes what has lain in quarantine for 30 days, every night. */
export const emptyQuarantine = defineJob('files.empty-quarantine', { queue: 'long', cron: '10 4 * * *' });

/** Makes the thumbnails of images that were stored. */
export const generateThumbnails = defineJob<{ fileIds: number[] }>('files.make-thumbnails', {
  queue: 'images',
  maxAttempts: 5,
});

interface QueuedJob {
  /** How far back it waits (`FairSchedulerService`); in front when left out. */
  readonly place?: number;
}

/** Draws the first pages of a document that was stored, and its picture in lists. */
export const renderFirstPages = defineJob<QueuedJob & { fileId: number }>('files.draw-first-pages', {
  queue: 'documents',
  maxAttempts: 5,
});

/** Has LibreOffice make a PDF of a document, of which its pages are drawn afterwards. `isRepeat`: it took too long before. */
export const convertDocument = defineJob<QueuedJob & { fileId: number; isRepeat?: boolean }>('files.convert-document', {
  queue: 'office',
  maxAttempts: 5,
});

/** Reads the texts of the next pages of a document whose first pages are drawn. `faults`: pages so far that broke off. */
export const extractTexts = defineJob<QueuedJob & { fileId: number; faults: number }>('files.read-texts', {
  queue: 'documents',
});

/** Marks what has lain in the trash for 30 days, to be removed for good. */
export const expireTrash = defineJob('files.expire-trash', { queue: 'maintenance', cron: '25 * * * *' });

/** Removes what is marked in the trash of a zone. */
export const purgeTrash = defineJob<{ zoneId: number }>('files.purge-trash', { queue: 'default' });

/** Cleans up after uploads that broke off and could not clean up themselves. */
export const sweepUploads = defineJob('files.sweep-uploads', { queue: 'maintenance', cron: '*/10 * * * *' });
