import { Injectable, Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  ACCESS,
  ALLOW_FACTORLESS,
  ALLOW_READER,
  ALLOW_RESTRICTED,
  CONFIRMED,
  SESSION_ONLY,
  type Access,
} from '../../../platform/http/access.decorator.js';
import type { AppRequest } from '../../../platform/http/reading/viewer.js';
import { SecurityTrail } from '../../../platform/trail/security-trail.service.js';
import { mayCall } from './access.policy.js';
import { authErrors } from '../auth.errors.js';

/** Deny by default: lets through only what the route's declaration allows the viewer. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly logger = new Logger(AccessGuard.name);

  constructor(
    private readonly reflector: Reflector,
    private readonly trail: SecurityTrail,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { viewer = null, method, headers } = context.switchToHttp().getRequest<AppRequest>();
    const access = this.read<Access>(ACCESS, context);
    if (!access) {
      this.logger.error(`${context.getClass().name}.${context.getHandler().name} declares no access.`);
      throw commonErrors.FORBIDDEN();
    }
    const verdict = mayCall(viewer, {
      access,
      method,
      allowRestricted: this.read<boolean>(ALLOW_RESTRICTED, context) ?? false,
      allowReader: this.read<boolean>(ALLOW_READER, context) ?? false,
      allowFactorless: this.read<boolean>(ALLOW_FACTORLESS, context) ?? false,
      sessionOnly: this.read<boolean>(SESSION_ONLY, context) ?? false,
      confirmed: this.read<boolean>(CONFIRMED, context) ?? false,
      openedFor: headers['x-account']?.toString(),
    });
    if (verdict === 'ok') return true;
    if (viewer !== null && viewer.scope !== null) this.trail.tokenRefused('scope');
    throw { ...commonErrors, ...authErrors }[verdict]();
  }

  private read<T>(key: string, context: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T>(key, [context.getHandler(), context.getClass()]);
  }
}
