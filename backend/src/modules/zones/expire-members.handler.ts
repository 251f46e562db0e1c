import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { expireMembers } from './expire-members.job.js';
import { MemberTermsService } from './member-terms.service.js';

@Injectable()
@JobHandler(expireMembers)
export class ExpireMembersHandler {
  constructor(private readonly terms: MemberTermsService) {}

  handle(_tick: object, { signal }: JobContext): Promise<void> {
    return this.terms.expire(signal);
  }
}
