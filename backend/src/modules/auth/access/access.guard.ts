import { Injectable, Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  ACCESS,
  SKIP_MFA_REQUIREMENT,
  ALLOW_INCOMPLETE_PROFILE,
  ALLOW_RESTRICTED,
  REQUIRE_REAUTHENTICATION,
  SESSION_ONLY,
  type Access,
} from '../../../platform/http/access.decorator.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { decideAccess } from './access.policy.js';
import { authErrors } from '../auth.errors.js';

/** Denies by default: rejects routes that declare no access, and lets `decideAccess` decide about the others. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly logger = new Logger(AccessGuard.name);

  constructor(
    private readonly reflector: Reflector,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { viewer = null, method, headers } = context.switchToHttp().getRequest<AppRequest>();
    const access = this.readMetadata<Access>(ACCESS, context);
    if (!access) {
      this.logger.error(`${context.getClass().name}.${context.getHandler().name} declares no access.`);
      throw commonErrors.FORBIDDEN();
    }
    const decision = decideAccess(viewer, {
      access,
      method,
      allowRestricted: this.readMetadata<boolean>(ALLOW_RESTRICTED, context) ?? false,
      allowIncompleteProfile: this.readMetadata<boolean>(ALLOW_INCOMPLETE_PROFILE, context) ?? false,
      skipMfaRequirement: this.readMetadata<boolean>(SKIP_MFA_REQUIREMENT, context) ?? false,
      sessionOnly: this.readMetadata<boolean>(SESSION_ONLY, context) ?? false,
      confirmed: this.readMetadata<boolean>(REQUIRE_REAUTHENTICATION, context) ?? false,
      pageAccountId: headers['x-account']?.toString(),
    });
    if (decision === 'ok') return true;
    if (viewer !== null && viewer.scope !== null) this.securityEvents.countRejectedToken('scope');
    throw { ...commonErrors, ...authErrors }[decision]();
  }

  private readMetadata<T>(key: string, context: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T>(key, [context.getHandler(), context.getClass()]);
  }
}
