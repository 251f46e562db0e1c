import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes the object of a picture, unless its person shows it. */
export const removeUnusedPicture = defineJob<{ userId: number; key: string }>('account.remove-unused-picture', {
  queue: 'default',
});
