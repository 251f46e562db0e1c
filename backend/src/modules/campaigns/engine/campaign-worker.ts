import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
import { deliverCampaign, sweepCampaigns } from '../campaigns.jobs.js';
import { CampaignScheduleService } from '../sending/campaign-schedule.service.js';
import { CampaignEngine } from './campaign-engine.service.js';
import { CampaignStates } from './campaign-states.service.js';

/** Lets the engine run in worker processes, and stops it before mail and database end. */
@Injectable()
export class CampaignWorker implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly config: AppConfig,
    private readonly engine: CampaignEngine,
    private readonly schedules: CampaignScheduleService,
    private readonly states: CampaignStates,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'worker') await this.engine.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.engine.stop();
  }

  /** A worker sends by itself and only has to look at once; elsewhere the sending is done here. */
  @OnJob(deliverCampaign)
  async deliver({ campaignId }: { campaignId: number }): Promise<void> {
    await this.engine.workOff();
    // Nothing comes of a mail any more where all were under way when it paused, and it goes on.
    await this.states.finish(campaignId);
  }

  /** Does each minute what a job of its own was to do, should that have been lost. */
  @OnJob(sweepCampaigns)
  async sweep(): Promise<void> {
    const steps = [() => this.schedules.startDue(), () => this.states.pauseAllRefused(), () => this.states.sweep()];
    steps.push(() => this.engine.workOff());
    await eachOnItsOwn(steps, (step) => step());
  }
}
