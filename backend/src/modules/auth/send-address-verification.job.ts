import { defineJob } from '../../platform/jobs/job-definition.js';

/** Writes to somebody with an account, with the link that shows that the address is theirs. */
export const sendAddressVerification = defineJob<{ userId: number }>('auth.send-address-verification', {
  queue: 'mail',
});
