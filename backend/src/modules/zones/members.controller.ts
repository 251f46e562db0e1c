import { pipeline } from 'node:stream/promises';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/list.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { originOf } from '../auth/session-cookie.service.js';
import { planErrors } from '../plans/plans.errors.js';
import { MemberDto, MemberQueryDto, UpdateMemberDto, ZoneMembersDto } from './dto/member.dto.js';
import { LeavingService } from './leaving.service.js';
import { MemberExportService } from './member-export.service.js';
import { MemberListService } from './member-list.service.js';
import { MemberOverviewService } from './member-overview.service.js';
import { MemberTermsService } from './member-terms.service.js';
import { CurrentZone, ZoneAccess } from './zone-access.guard.js';
import type { ViewedZone } from './zone-access.service.js';
import { zoneErrors } from './zones.errors.js';

@ApiTags('members')
@Controller('api')
export class MembersController {
  constructor(
    private readonly members: MemberListService,
    private readonly overview: MemberOverviewService,
    private readonly exports: MemberExportService,
    private readonly terms: MemberTermsService,
    private readonly leaving: LeavingService,
  ) {}

  @Get('members')
  @SignedIn()
  @ApiList()
  @ApiOperation({ summary: 'Your zones, and those you help with, each with who joined last' })
  @ApiOkResponse({ type: [ZoneMembersDto] })
  async ofAllZones(
    @CurrentViewer() { userId }: Viewer,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ZoneMembersDto[]> {
    return sendPage(response, await this.overview.list(userId, page));
  }

  @Get('zones/:id/members')
  @ZoneAccess('seeMembers')
  @ApiList()
  @ApiOperation({ summary: 'Who is in a zone, without its owner' })
  @ApiOkResponse({ type: [MemberDto] })
  async list(
    @CurrentZone() { id }: ViewedZone,
    @Query() query: MemberQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MemberDto[]> {
    return sendPage(response, await this.members.list(id, query));
  }

  @Get('zones/:id/members/export')
  @ZoneAccess('manageMembers')
  @ApiOperation({ summary: 'The members as a CSV file' })
  @ApiProduces('text/csv')
  @ApiOkResponse({
    description: 'UTF-8 with a byte order mark',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  async export(
    @CurrentZone() { id }: ViewedZone,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.exports.start(id, { actorId: userId, ipAddress: originOf(request).ipAddress });
    response.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="members-${id}.csv"`,
      'Cache-Control': 'private, no-store',
    });
    // A fault in the middle ends the connection without the end of the body, so that nobody takes it for the whole.
    await pipeline(file, response).catch(() => response.destroy());
  }

  @Patch('zones/:id/members/:userId')
  @ZoneAccess('manageMembers')
  @ApiOperation({ summary: 'Change the role of a member, or when the membership ends' })
  @ApiOkResponse({ type: MemberDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.MEMBER_NOT_FOUND, zoneErrors.OWNER_STAYS)
  @ApiErrors(planErrors.PLAN_LIMIT)
  async update(
    @CurrentZone() { id }: ViewedZone,
    @IdParam('userId') userId: number,
    @Body() dto: UpdateMemberDto,
  ): Promise<MemberDto> {
    await this.terms.change(id, userId, dto);
    return this.members.one(id, userId);
  }

  @Delete('zones/:id/members/:userId')
  @ZoneAccess('manageMembers')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a member; it can be taken back for 30 days' })
  @ApiNoContentResponse()
  @ApiErrors(zoneErrors.MEMBER_NOT_FOUND, zoneErrors.OWNER_STAYS)
  remove(@CurrentZone() zone: ViewedZone, @IdParam('userId') userId: number): Promise<void> {
    return this.leaving.removeMember(zone, userId);
  }

  @Post('zones/:id/members/:userId/restore')
  @ZoneAccess('manageMembers')
  @HttpCode(200)
  @ApiOperation({ summary: 'Give a removed member the membership back as it was' })
  @ApiOkResponse({ type: MemberDto })
  @ApiErrors(zoneErrors.UNDO_TOO_LATE, zoneErrors.OWNER_STAYS, planErrors.PLAN_LIMIT)
  async restore(
    @CurrentZone() zone: ViewedZone,
    @IdParam('userId') userId: number,
    @CurrentViewer() viewer: Viewer,
  ): Promise<MemberDto> {
    await this.leaving.undoRemoval(zone, userId, viewer.userId);
    return this.members.one(zone.id, userId);
  }
}
