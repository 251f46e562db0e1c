import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { AppConfig } from '../../config/app-config.js';
import { networkOf } from '../networks/client-network.js';

/**
 * The general rate limit per client address, across all routes (thumbnails are counted separately) and, with Redis,
 * across all processes.
 */
@Injectable()
export class GeneralRateGuard extends ThrottlerGuard {
  @Inject(AppConfig)
  private readonly config: AppConfig;

  protected override shouldSkip(_context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(!this.config.isRateLimited);
  }

  /**
   * One counter per address (per network for IPv6), whatever it requests. Only a keyed digest of the address is stored.
   */
  protected override generateKey(_context: ExecutionContext, address: string, name: string): string {
    return this.config.keys.forPurpose('general-rate').digest(name, networkOf(address));
  }
}
