import { EntityManager } from '@mikro-orm/postgresql';
import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExtension, ApiParam } from '@nestjs/swagger';
import { query } from '../../platform/database/query.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { IdPipe } from '../../platform/http/id.pipe.js';
import type { AppRequest } from '../../platform/http/viewer.js';
import { ZoneAccessService, type ViewedZone } from '../zones/zone-access.service.js';
import { zoneAbilities } from '../zones/zone.policy.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { campaignErrors } from './campaigns.errors.js';
import { CampaignSchema } from './entities/campaign.entity.js';

/** A campaign that the viewer, who owns its zone, may reach. */
export interface ViewedCampaign {
  readonly id: number;
  readonly zone: ViewedZone;
}

type CampaignRequest = AppRequest & { campaign?: ViewedCampaign };

/** Lets in the owner of the campaign's zone. Who is in the zone gets 403, everybody else 404. */
@Injectable()
export class CampaignAccessGuard implements CanActivate {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ZoneAccessService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CampaignRequest>();
    if (!request.viewer) throw commonErrors.NOT_SIGNED_IN();
    const id = new IdPipe().transform(String(request.params.id));
    const campaign = await query<typeof CampaignSchema>(this.em)
      .selectFrom('campaigns')
      .select('zone_id as zoneId')
      .where('id', '=', id)
      .executeTakeFirst();
    const zone = campaign ? await this.access.find(campaign.zoneId, request.viewer.userId) : null;
    if (!zone) throw campaignErrors.CAMPAIGN_NOT_FOUND();
    if (!zoneAbilities(zone.role).sendCampaigns) throw zoneErrors.ZONE_FORBIDDEN();
    request.campaign = { id, zone };
    return true;
  }
}

/** The route acts on the campaign `:id`, and only the owner of its zone may call it. */
export const CampaignAccess = () =>
  applyDecorators(
    SignedIn(),
    ApiExtension('x-zone-ability', 'sendCampaigns'),
    ApiParam({ name: 'id', schema: { type: 'integer' }, description: 'Id of the campaign' }),
    ApiErrors(campaignErrors.CAMPAIGN_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN),
    UseGuards(CampaignAccessGuard),
  );

/** The campaign that `@CampaignAccess` let the viewer reach. */
export const CurrentCampaign = createParamDecorator((_: unknown, context: ExecutionContext): ViewedCampaign => {
  const { campaign } = context.switchToHttp().getRequest<CampaignRequest>();
  if (!campaign) throw campaignErrors.CAMPAIGN_NOT_FOUND();
  return campaign;
});
