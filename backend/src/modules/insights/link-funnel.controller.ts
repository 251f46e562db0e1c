import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { ApiJson } from '../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { linkErrors } from '../links/links.errors.js';
import { CurrentZone, ZoneAccess } from '../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../zones/access/zone-access.repository.js';
import { LinkFunnelDto, LinkFunnelQueryDto } from './dto/link-funnel.dto.js';
import { LinkFunnelRepository } from './link-funnel.repository.js';

@ApiTags('insights')
@Controller('api/zones')
export class LinkFunnelController {
  constructor(private readonly funnels: LinkFunnelRepository) {}

  @Get(':id/link-funnel')
  @ZoneAccess('share')
  @ApiJson('Get how many of those who joined by a link opened, read and downloaded files', LinkFunnelDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.TEMPORARY_LINK_NOT_FOUND)
  async show(@CurrentZone() zone: AccessibleZone, @Query() { linkId }: LinkFunnelQueryDto): Promise<LinkFunnelDto> {
    const funnel = await this.funnels.findFunnel(zone.id, linkId ?? null);
    if (!funnel) throw linkErrors.TEMPORARY_LINK_NOT_FOUND();
    return funnel;
  }
}
