import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { wakeCampaignWorkers, sweepCampaigns } from '../campaigns.jobs.js';
import { CampaignScheduleService } from '../sending/campaign-schedule.service.js';
import { CampaignEngineService } from './campaign-engine.service.js';
import { CampaignStateService } from './campaign-state.service.js';

/** Lets the engine run in worker processes, and stops it before mail and database end. */
@Injectable()
export class CampaignWorker implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly config: AppConfig,
    private readonly engine: CampaignEngineService,
    private readonly campaignSchedule: CampaignScheduleService,
    private readonly campaignState: CampaignStateService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'worker') await this.engine.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.engine.stop();
  }

  /** A worker sends by itself and only has to look at once; elsewhere the sending is done here. */
  @OnJob(wakeCampaignWorkers)
  async processDueDeliveries({ campaignId }: { campaignId: number }): Promise<void> {
    await this.engine.processDueDeliveries();
    // Nothing comes of a mail any more where all were under way when it paused, and it goes on.
    await this.campaignState.finish(campaignId);
  }

  /** Does each minute what a job of its own was to do, should that have been lost. */
  @OnJob(sweepCampaigns)
  async recoverCampaigns(): Promise<void> {
    const steps = [
      () => this.campaignSchedule.startDueCampaigns(),
      () => this.campaignState.pauseAllRejected(),
      () => this.campaignState.sweep(),
    ];
    steps.push(() => this.engine.processDueDeliveries());
    await forEachIsolated(steps, (step) => step());
  }
}
