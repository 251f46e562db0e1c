import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { ApiExtension, ApiParam } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdPipe } from '../../../platform/http/parsing/id.pipe.js';
import { setPoolTenantForWrite } from '../../../platform/http/limits/pool-tenant.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { ZoneAccessRepository, type AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { CampaignRepository } from '../campaign.repository.js';
import { canReadReportOfDeletedZone } from './campaign.policy.js';
import { campaignErrors } from '../campaigns.errors.js';

/** A campaign that the viewer may access as the owner of its zone. */
export interface ViewedCampaign {
  readonly id: number;
  readonly zone: AccessibleZone;
}

type CampaignRequest = AppRequest & { campaign?: ViewedCampaign; reportId?: number };

/** Allows the owner of the campaign's zone. Other members of the zone get 403, everyone else 404. */
@Injectable()
export class CampaignAccessGuard implements CanActivate {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly access: ZoneAccessRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { request, id, userId } = requestedCampaignId(context);
    const zoneId = await this.campaigns.findZoneId(id);
    const zone = zoneId === null ? null : await this.access.findAccessibleZone(zoneId, userId);
    if (!zone) throw campaignErrors.CAMPAIGN_NOT_FOUND();
    if (!zoneAbilities(zone.role).sendCampaigns) throw zoneErrors.ZONE_FORBIDDEN();
    setPoolTenantForWrite(request, zone);
    request.campaign = { id, zone };
    request.reportId = id;
    return true;
  }
}

/**
 * Allows everyone whom `CampaignAccessGuard` allows and, if the campaign's zone is deleted, the person who sent it.
 * Everyone else gets the same errors as from `CampaignAccessGuard`.
 */
@Injectable()
export class CampaignReportGuard implements CanActivate {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly access: CampaignAccessGuard,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { request, id, userId } = requestedCampaignId(context);
    const campaign = await this.campaigns.findInDeletedZone(id);
    if (!campaign || !canReadReportOfDeletedZone(campaign, userId)) return this.access.canActivate(context);
    request.reportId = id;
    return true;
  }
}

function requestedCampaignId(context: ExecutionContext) {
  const request = context.switchToHttp().getRequest<CampaignRequest>();
  if (!request.viewer) throw commonErrors.NOT_SIGNED_IN();
  return { request, id: new IdPipe().transform(String(request.params.id)), userId: request.viewer.userId };
}

const access = (guard: Type<CanActivate>) =>
  applyDecorators(
    SignedIn(),
    ApiExtension('x-zone-ability', 'sendCampaigns'),
    ApiParam({ name: 'id', schema: { type: 'integer' }, description: 'Id of the campaign' }),
    ApiErrors(campaignErrors.CAMPAIGN_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN),
    UseGuards(guard),
  );

/** Restricts the route to the owner of the zone of campaign `:id`. */
export const CampaignAccess = () => access(CampaignAccessGuard);

/** Restricts the route to people who may read the report of campaign `:id`, even after its zone is deleted. */
export const CampaignReportAccess = () => access(CampaignReportGuard);

/** The campaign that `@CampaignAccess` resolved for the viewer. */
export const CurrentCampaign = createParamDecorator((_: unknown, context: ExecutionContext): ViewedCampaign => {
  const { campaign } = context.switchToHttp().getRequest<CampaignRequest>();
  if (!campaign) throw campaignErrors.CAMPAIGN_NOT_FOUND();
  return campaign;
});

/** The id of the campaign that `@CampaignReportAccess` allowed the viewer to read. */
export const CurrentReport = createParamDecorator((_: unknown, context: ExecutionContext): number => {
  const { reportId } = context.switchToHttp().getRequest<CampaignRequest>();
  if (reportId === undefined) throw campaignErrors.CAMPAIGN_NOT_FOUND();
  return reportId;
});
