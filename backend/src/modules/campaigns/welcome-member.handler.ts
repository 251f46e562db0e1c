import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { WelcomeService } from './welcome.service.js';
import { welcomeMembers } from './welcome-member.job.js';

@JobHandler(welcomeMembers)
export class WelcomeMembersHandler {
  constructor(private readonly welcome: WelcomeService) {}

  handle({ zoneId, userIds }: { zoneId: number; userIds: number[] }): Promise<void> {
    return this.welcome.send(zoneId, userIds);
  }
}
