import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { wakeCampaignWorkers, sweepCampaigns } from '../campaigns.jobs.js';
import { CampaignScheduleService } from '../sending/campaign-schedule.service.js';
import { CampaignEngineService } from './campaign-engine.service.js';
import { CampaignStateService } from './campaign-state.service.js';

/** Runs the engine in worker processes, and stops it before the mailer and the database. */
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

  /** A worker sends continuously and only needs a trigger to poll; in other processes the emails are sent here. */
  @OnJob(wakeCampaignWorkers)
  async processDueDeliveries({ campaignId }: { campaignId: number }): Promise<void> {
    await this.engine.processDueDeliveries();
    // If all remaining emails were in progress when the campaign was paused, no result follows after it is resumed.
    await this.campaignState.finish(campaignId);
  }

  /** Every minute, does the work of dedicated jobs in case they were lost. */
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
