import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { CampaignScheduleService } from './campaign-schedule.service.js';
import { startScheduled } from './start-scheduled.job.js';

@JobHandler(startScheduled)
export class StartScheduledHandler {
  constructor(private readonly schedules: CampaignScheduleService) {}

  handle({ campaignId }: { campaignId: number }): Promise<void> {
    return this.schedules.start(campaignId);
  }
}
