import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiParam } from '@nestjs/swagger';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { SignedIn } from '../../../platform/http/access.decorator.js';
import { setPoolTenantForWrite } from '../../../platform/http/limits/pool-tenant.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { IdPipe } from '../../../platform/http/parsing/id.pipe.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { zoneAbilities, type ZoneAbility } from './zone.policy.js';
import { ZoneAccessRepository, type AccessibleZone } from './zone-access.repository.js';
import { zoneErrors } from '../zones.errors.js';

const ZONE_ABILITY_KEY = 'zonary:zone-ability';

type ZoneRequest = AppRequest & { zone?: AccessibleZone };

/**
 * Allows the request if the viewer has the required ability in the zone `:id`. Non-members get 404, members without the
 * ability 403.
 */
@Injectable()
export class ZoneAccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly access: ZoneAccessRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ZoneRequest>();
    const ability = this.reflector.get<ZoneAbility>(ZONE_ABILITY_KEY, context.getHandler());
    if (!request.viewer) throw commonErrors.NOT_SIGNED_IN();
    const zoneId = new IdPipe().transform(String(request.params.id));
    const zone = await this.access.findAccessibleZone(zoneId, request.viewer.userId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    if (!zoneAbilities(zone.role)[ability]) throw zoneErrors.ZONE_FORBIDDEN();
    setPoolTenantForWrite(request, zone);
    request.zone = zone;
    return true;
  }
}

/** Requires the ability in the zone `:id`. */
export const ZoneAccess = (ability: ZoneAbility) =>
  applyDecorators(
    SignedIn(),
    SetMetadata(ZONE_ABILITY_KEY, ability),
    ApiExtension('x-zone-ability', ability),
    ApiParam({ name: 'id', schema: { type: 'integer' }, description: 'Id of the zone' }),
    ApiErrors(zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN),
    UseGuards(ZoneAccessGuard),
  );

/** The zone that `@ZoneAccess` resolved for the viewer. */
export const CurrentZone = createParamDecorator((_: unknown, context: ExecutionContext): AccessibleZone => {
  const { zone } = context.switchToHttp().getRequest<ZoneRequest>();
  if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
  return zone;
});
