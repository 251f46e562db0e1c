import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/list.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { originOf } from '../auth/session-cookie.service.js';
import { planErrors } from '../plans/plans.errors.js';
import { CreateZoneDto, FavoriteDto, UpdateZoneDto, ZoneDto } from './dto/zone.dto.js';
import { CurrentZone, ZoneAccess } from './zone-access.guard.js';
import type { ViewedZone } from './zone-access.service.js';
import { ZoneListService } from './zone-list.service.js';
import { ZoneRemovalService } from './zone-removal.service.js';
import { ZoneService } from './zone.service.js';

@ApiTags('zones')
@Controller('api')
export class ZonesController {
  constructor(
    private readonly zones: ZoneService,
    private readonly removal: ZoneRemovalService,
    private readonly lists: ZoneListService,
  ) {}

  @Get('zones')
  @SignedIn()
  @ApiList()
  @ApiOperation({ summary: 'The zones that you own' })
  @ApiOkResponse({ type: [ZoneDto] })
  async owned(
    @CurrentViewer() { userId }: Viewer,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ZoneDto[]> {
    return sendPage(response, await this.lists.owned(userId, page));
  }

  @Get('shared-zones')
  @SignedIn()
  @ApiList()
  @ApiOperation({ summary: 'The zones of others that you are in' })
  @ApiOkResponse({ type: [ZoneDto] })
  async shared(
    @CurrentViewer() { userId }: Viewer,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ZoneDto[]> {
    return sendPage(response, await this.lists.shared(userId, page));
  }

  @Post('zones')
  @SignedIn()
  @ApiOperation({ summary: 'Create a zone' })
  @ApiCreatedResponse({ type: ZoneDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, planErrors.PLAN_LIMIT)
  create(@CurrentViewer() { userId }: Viewer, @Body() dto: CreateZoneDto): Promise<ZoneDto> {
    return this.zones.create(userId, dto);
  }

  @Get('zones/:id')
  @ZoneAccess('read')
  @ApiOperation({ summary: 'One zone' })
  @ApiOkResponse({ type: ZoneDto })
  one(@CurrentViewer() { userId }: Viewer, @CurrentZone() zone: ViewedZone): Promise<ZoneDto> {
    return this.lists.one(zone.id, userId);
  }

  @Patch('zones/:id')
  @ZoneAccess('editSettings')
  @ApiOperation({ summary: 'Change a zone; public to private ends its permanent link' })
  @ApiOkResponse({ type: ZoneDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  update(
    @CurrentViewer() { userId }: Viewer,
    @CurrentZone() zone: ViewedZone,
    @Body() dto: UpdateZoneDto,
  ): Promise<ZoneDto> {
    return this.zones.update(zone.id, userId, dto);
  }

  @Delete('zones/:id')
  @ZoneAccess('delete')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a zone and everything in it, for good' })
  @ApiNoContentResponse()
  delete(
    @CurrentViewer() { userId }: Viewer,
    @CurrentZone() zone: ViewedZone,
    @Req() request: AppRequest,
  ): Promise<void> {
    return this.removal.delete(zone.id, { actorId: userId, ipAddress: originOf(request).ipAddress });
  }

  @Post('zones/:id/toggle-favorite')
  @ZoneAccess('read')
  @HttpCode(200)
  @ApiOperation({ summary: 'Turn your own star of a zone on or off' })
  @ApiOkResponse({ type: FavoriteDto })
  async toggleFavorite(@CurrentViewer() { userId }: Viewer, @CurrentZone() zone: ViewedZone): Promise<FavoriteDto> {
    return { isFavorite: await this.zones.toggleFavorite(zone.id, userId) };
  }
}
