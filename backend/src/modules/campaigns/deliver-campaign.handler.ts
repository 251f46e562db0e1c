import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { deliverCampaign } from './deliver-campaign.job.js';
import { CampaignEngine } from './engine/campaign-engine.service.js';

/** A worker sends by itself and only has to look at once; elsewhere the sending is done here. */
@JobHandler(deliverCampaign)
export class DeliverCampaignHandler {
  constructor(private readonly engine: CampaignEngine) {}

  async handle(): Promise<void> {
    await this.engine.workOff();
  }
}
