import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobHandler } from '../../../platform/jobs/job-handler.decorator.js';
import { expireInvitations } from './expire-invitations.job.js';
import { InvitationExpiry } from './invitation-expiry.service.js';

@Injectable()
@JobHandler(expireInvitations)
export class ExpireInvitationsHandler {
  constructor(private readonly expiry: InvitationExpiry) {}

  handle(_: object, { signal }: JobContext): Promise<void> {
    return this.expiry.free(null, signal);
  }
}
