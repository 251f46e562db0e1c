import { Body, Controller, Delete, Get, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowIncompleteProfile, CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiCreated, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { planErrors } from '../../plans/plans.errors.js';
import { CreateZoneDto, DeleteZoneQueryDto, FavoriteDto, UpdateZoneDto, ZoneDto } from '../dto/zone.dto.js';
import { CurrentZone, ZoneAccess } from '../access/zone-access.guard.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { zoneErrors } from '../zones.errors.js';
import { ZoneListService } from './zone-list.service.js';
import { ZoneDeletionService } from './zone-deletion.service.js';
import { ZoneService } from './zone.service.js';

@ApiTags('zones')
@Controller('api')
export class ZonesController {
  constructor(
    private readonly zones: ZoneService,
    private readonly zoneDeletion: ZoneDeletionService,
    private readonly lists: ZoneListService,
    private readonly memberships: MembershipRepository,
  ) {}

  @Get('zones')
  @SignedIn()
  @ApiPaginated('List the zones that you own', ZoneDto)
  owned(@CurrentViewer() { userId }: Viewer, @Query() page: ListQueryDto): Promise<Page<ZoneDto>> {
    return this.lists.listZones(userId, 'owned', page);
  }

  @Get('shared-zones')
  @SignedIn()
  @ApiPaginated('List the zones that other people share with you', ZoneDto)
  shared(@CurrentViewer() { userId }: Viewer, @Query() page: ListQueryDto): Promise<Page<ZoneDto>> {
    return this.lists.listZones(userId, 'shared', page);
  }

  @Delete('shared-zones/:id')
  @AllowIncompleteProfile()
  @SignedIn()
  @ApiNoContent('Remove a zone from your list after your membership has expired')
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND)
  dismiss(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.lists.dismissExpired(id, userId);
  }

  @Post('shared-zones/:id/restore')
  @AllowIncompleteProfile()
  @SignedIn()
  @ApiNoContent('Show a zone again that you removed from your list')
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND)
  restoreDismissed(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.lists.restoreDismissed(id, userId);
  }

  @Post('zones')
  @SignedIn()
  @ApiCreated('Create a zone', ZoneDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, planErrors.PLAN_LIMIT)
  create(@CurrentViewer() { userId }: Viewer, @Body() dto: CreateZoneDto): Promise<ZoneDto> {
    return this.zones.create(userId, dto);
  }

  @Get('zones/:id')
  @ZoneAccess('read')
  @ApiJson('Get a zone', ZoneDto)
  one(@CurrentViewer() { userId }: Viewer, @CurrentZone() zone: AccessibleZone): Promise<ZoneDto> {
    return this.lists.findOne(zone.id, userId);
  }

  @Patch('zones/:id')
  @ZoneAccess('editSettings')
  @ApiJson('Change a zone; making it private disables its permanent link', ZoneDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_CHANGED)
  update(
    @CurrentViewer() { userId }: Viewer,
    @CurrentZone() zone: AccessibleZone,
    @Body() dto: UpdateZoneDto,
  ): Promise<ZoneDto> {
    return this.zones.update(zone.id, userId, dto);
  }

  @Delete('zones/:id')
  @ZoneAccess('delete')
  @ApiNoContent('Permanently delete a zone and everything in it; a zone that is sold only with evenIfUsed=true')
  @ApiErrors(zoneErrors.ZONE_IN_USE)
  delete(
    @CurrentViewer() { userId }: Viewer,
    @CurrentZone() zone: AccessibleZone,
    @Query() { evenIfUsed }: DeleteZoneQueryDto,
    @Req() request: AppRequest,
  ): Promise<void> {
    const isWarned = evenIfUsed === 'true';
    return this.zoneDeletion.deleteZone(zone.id, {
      actorId: userId,
      ipAddress: getSessionOrigin(request).ipAddress,
      isConfirmed: isWarned,
    });
  }

  @Post('zones/:id/toggle-favorite')
  @AllowIncompleteProfile()
  @ZoneAccess('read')
  @ApiJson('Add a zone to your favourites or remove it', FavoriteDto)
  async toggleFavorite(@CurrentViewer() { userId }: Viewer, @CurrentZone() zone: AccessibleZone): Promise<FavoriteDto> {
    return { isFavorite: await this.memberships.toggleFavorite(zone.id, userId) };
  }

  @Post('zones/:id/visits')
  @AllowIncompleteProfile()
  @ZoneAccess('read')
  @ApiNoContent('Record your visit to a zone; files added later count as new for you')
  noteVisit(@CurrentViewer() { userId }: Viewer, @CurrentZone() zone: AccessibleZone): Promise<void> {
    return this.memberships.recordVisit(zone.id, userId);
  }
}
