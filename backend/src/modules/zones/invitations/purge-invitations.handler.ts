import { Injectable } from '@nestjs/common';
import { JobHandler } from '../../../platform/jobs/job-handler.decorator.js';
import { InvitationExpiry } from './invitation-expiry.service.js';
import { purgeInvitations } from './purge-invitations.job.js';

@Injectable()
@JobHandler(purgeInvitations)
export class PurgeInvitationsHandler {
  constructor(private readonly expiry: InvitationExpiry) {}

  handle(): Promise<void> {
    return this.expiry.purge();
  }
}
