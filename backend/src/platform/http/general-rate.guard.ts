import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { AppConfig } from '../config/app-config.js';

/** The general limit by client address, in the memory of this process. */
@Injectable()
export class GeneralRateGuard extends ThrottlerGuard {
  @Inject(AppConfig)
  private readonly config: AppConfig;

  protected override shouldSkip(_context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(!this.config.rateLimited);
  }
}
