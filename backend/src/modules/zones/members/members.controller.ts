import { Body, Controller, Delete, Get, Header, Patch, Post, Query, Req, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiCsv, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { ApiOffset, ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { planErrors } from '../../plans/plans.errors.js';
import { MemberDto, MemberQueryDto, UpdateMemberDto, ZoneMembersDto } from '../dto/member.dto.js';
import { LeavingService } from '../leaving/leaving.service.js';
import { MemberExportService } from './member-export.service.js';
import { MemberListService } from './member-list.service.js';
import { MemberTermsService } from './member-terms.service.js';
import { CurrentZone, ZoneAccess } from '../access/zone-access.guard.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { zoneErrors } from '../zones.errors.js';

@ApiTags('members')
@Controller('api')
export class MembersController {
  constructor(
    private readonly members: MemberListService,
    private readonly exports: MemberExportService,
    private readonly terms: MemberTermsService,
    private readonly leaving: LeavingService,
  ) {}

  @Get('members')
  @SignedIn()
  @ApiPaginated('List the zones you own or help manage, each with its newest members', ZoneMembersDto)
  ofAllZones(@CurrentViewer() { userId }: Viewer, @Query() page: ListQueryDto): Promise<Page<ZoneMembersDto>> {
    return this.members.listZones(userId, page);
  }

  @Get('zones/:id/members')
  @ZoneAccess('seeMembers')
  @ApiOffset()
  @ApiPaginated('List the members of a zone, without its owner', MemberDto)
  list(@CurrentZone() { id }: AccessibleZone, @Query() query: MemberQueryDto): Promise<Page<MemberDto>> {
    return this.members.listMembers(id, query);
  }

  @Get('zones/:id/members/export')
  @ZoneAccess('manageMembers')
  @ApiCsv('Export the members as a CSV file')
  @Header('Cache-Control', 'private, no-store')
  export(
    @CurrentZone() { id }: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
  ): Promise<StreamableFile> {
    return this.exports.exportMembers(id, { actorId: userId, ipAddress: getSessionOrigin(request).ipAddress });
  }

  @Patch('zones/:id/members/:userId')
  @ZoneAccess('manageMembers')
  @ApiJson("Change a member's role or the end of the membership", MemberDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.MEMBER_NOT_FOUND, zoneErrors.OWNER_STAYS)
  @ApiErrors(planErrors.PLAN_LIMIT)
  async update(
    @CurrentZone() { id }: AccessibleZone,
    @IdParam('userId') userId: number,
    @Body() dto: UpdateMemberDto,
  ): Promise<MemberDto> {
    await this.terms.updateMember(id, userId, dto);
    return this.members.findOne(id, userId);
  }

  @Delete('zones/:id/members/:userId')
  @ZoneAccess('manageMembers')
  @ApiNoContent('Remove a member; can be undone for 30 days')
  @ApiErrors(zoneErrors.MEMBER_NOT_FOUND, zoneErrors.OWNER_STAYS)
  remove(@CurrentZone() zone: AccessibleZone, @IdParam('userId') userId: number): Promise<void> {
    return this.leaving.removeMember(zone, userId);
  }

  @Post('zones/:id/members/:userId/restore')
  @ZoneAccess('manageMembers')
  @ApiJson('Restore the membership of a removed member', MemberDto)
  @ApiErrors(zoneErrors.UNDO_TOO_LATE, zoneErrors.OWNER_STAYS, planErrors.PLAN_LIMIT)
  async restore(
    @CurrentZone() zone: AccessibleZone,
    @IdParam('userId') userId: number,
    @CurrentViewer() viewer: Viewer,
  ): Promise<MemberDto> {
    await this.leaving.undoRemoval(zone, userId, viewer.userId);
    return this.members.findOne(zone.id, userId);
  }
}
