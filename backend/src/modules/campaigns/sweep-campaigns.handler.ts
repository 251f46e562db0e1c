import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { CampaignScheduleService } from './campaign-schedule.service.js';
import { CampaignCompletion } from './engine/campaign-completion.service.js';
import { CampaignEngine } from './engine/campaign-engine.service.js';
import { sweepCampaigns } from './start-scheduled.job.js';

@JobHandler(sweepCampaigns)
export class SweepCampaignsHandler {
  constructor(
    private readonly schedules: CampaignScheduleService,
    private readonly completion: CampaignCompletion,
    private readonly engine: CampaignEngine,
  ) {}

  async handle(): Promise<void> {
    await this.schedules.startDue();
    await this.completion.sweep();
    await this.engine.workOff();
  }
}
