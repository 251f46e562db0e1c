import { applyDecorators, SetMetadata, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { commonErrors } from '../../errors/common.errors.js';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { type RateRule, RateLimitService } from '../limits/rate-limit.service.js';
import { Reflector } from '@nestjs/core';
import { clientNetworkOf } from './client-network.js';
import type { AppRequest } from '../parsing/viewer.js';

export const NETWORK_LIMIT = 'zonary:network-limit';

/**
 * Limits calls of a route per network; routes with the same rule share a counter. Every public POST route must declare
 * this: attackers change accounts and email addresses, so these don't limit them.
 */
export const NetworkLimit = (rule: RateRule) =>
  applyDecorators(SetMetadata(NETWORK_LIMIT, rule), ApiErrors(commonErrors.TOO_MANY_REQUESTS));

/** Counts the attempt before anything else is checked. */
@Injectable()
export class NetworkLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimits: RateLimitService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<RateRule | undefined>(NETWORK_LIMIT, context.getHandler());
    if (rule) await this.rateLimits.consume(rule, clientNetworkOf(context.switchToHttp().getRequest<AppRequest>()));
    return true;
  }
}
