import { defineJob } from '../../platform/jobs/job-definition.js';

/** Makes the thumbnails of images that were stored. */
export const makeThumbnails = defineJob<{ fileIds: number[] }>('files.make-thumbnails', {
  queue: 'images',
  maxAttempts: 5,
});
