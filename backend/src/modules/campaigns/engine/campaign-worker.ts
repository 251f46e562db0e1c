import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { CampaignEngine } from './campaign-engine.service.js';

/** Lets the engine run in worker processes, and stops it before mail and database end. */
@Injectable()
export class CampaignWorker implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly config: AppConfig,
    private readonly engine: CampaignEngine,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'worker') await this.engine.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.engine.stop();
  }
}
