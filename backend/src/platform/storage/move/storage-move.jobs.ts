import { defineJob } from '../../jobs/job-definition.js';

/** Copies what was stored in the old storage last, and deletes that storage's objects a day after the switch. */
export const finishStorageMove = defineJob('storage.finish-storage-move', { queue: 'long', cron: '43 * * * *' });
