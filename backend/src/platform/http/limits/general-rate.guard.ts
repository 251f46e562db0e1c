import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { AppConfig } from '../../config/app-config.js';
import { networkOf } from '../networks/client-network.js';

/**
 * The general limit by client address, over all routes together (small pictures have a count of their own) and, with
 * Redis, over all processes.
 */
@Injectable()
export class GeneralRateGuard extends ThrottlerGuard {
  @Inject(AppConfig)
  private readonly config: AppConfig;

  protected override shouldSkip(_context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(!this.config.isRateLimited);
  }

  /** One count an address (of IPv6: a network), whatever it asks for; only a keyed digest of the address is kept. */
  protected override generateKey(_context: ExecutionContext, address: string, name: string): string {
    return this.config.keys.forPurpose('general-rate').digest(name, networkOf(address));
  }
}
