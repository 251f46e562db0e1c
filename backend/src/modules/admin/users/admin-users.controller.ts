import { Controller, Get, HttpCode, Patch, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer, SuperAdminOnly } from '../../../platform/http/access.decorator.js';
import { ApiAdminList, sendAdminPage } from '../../../platform/http/admin-list.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { Change } from '../../../platform/http/change.decorator.js';
import { IdParam } from '../../../platform/http/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/viewer.js';
import { originOf } from '../../auth/session-cookie.service.js';
import { actorOf } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { ApiCsv, ApiTotal, ExportService } from '../export.service.js';
import { AdminUserDetailDto, AdminUserDto, ChangeRoleDto, EndedSessionsDto } from '../dto/admin-user.dto.js';
import { UserQueryDto } from '../dto/list-query.dto.js';
import { UserChangesService } from './user-changes.service.js';
import { UserDetailService } from './user-detail.service.js';
import { UserListService } from './user-list.service.js';

const { USER_NOT_FOUND, OWN_ACCOUNT, ACCOUNT_IS_DEACTIVATED } = adminErrors;

@ApiTags('admin')
@Controller('api/admin/users')
export class AdminUsersController {
  constructor(
    private readonly users: UserListService,
    private readonly details: UserDetailService,
    private readonly changes: UserChangesService,
    private readonly exports: ExportService,
  ) {}

  @Get()
  @AdminOnly()
  @ApiAdminList()
  @ApiOperation({ summary: 'People with an account' })
  @ApiOkResponse({ type: [AdminUserDto], headers: ApiTotal })
  async list(
    @Query() query: UserQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AdminUserDto[]> {
    return sendAdminPage(response, await this.users.page(query, viewer));
  }

  @Get('export')
  @AdminOnly()
  @ApiOperation({ summary: 'People with an account as a CSV file, by the same filters' })
  @ApiCsv()
  export(
    @Query() query: UserQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<StreamableFile> {
    return this.exports.start('users', actorOf(viewer, request), this.users.all(query, viewer), {
      id: ({ id }) => id,
      email: ({ email }) => email,
      firstName: ({ firstName }) => firstName,
      lastName: ({ lastName }) => (lastName === '.' ? null : lastName),
      username: ({ username }) => username,
      role: ({ role, isSuperAdmin }) => (isSuperAdmin ? 'super-admin' : role),
      state: ({ state }) => state,
      plan: ({ plan }) => plan,
      zones: ({ zoneCount }) => zoneCount,
      createdAt: ({ createdAt }) => createdAt,
      deactivatedAt: ({ deactivatedAt }) => deactivatedAt,
    });
  }

  @Get(':id')
  @AdminOnly()
  @ApiOperation({ summary: 'One account with its figures' })
  @ApiOkResponse({ type: AdminUserDetailDto })
  @ApiErrors(USER_NOT_FOUND)
  detail(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<AdminUserDetailDto> {
    return this.details.of(id, viewer);
  }

  @Post(':id/activate')
  @SuperAdminOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Undo a deactivation; never verifies an address' })
  @ApiOkResponse({ type: AdminUserDto })
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async activate(
    @IdParam() id: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<AdminUserDto> {
    await this.changes.activate(id, { viewer, origin: originOf(request) });
    return this.users.one(id, viewer);
  }

  @Post(':id/deactivate')
  @SuperAdminOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Shut somebody out: sessions end, zones and links answer as not found, payments pause' })
  @ApiOkResponse({ type: AdminUserDto })
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async deactivate(
    @IdParam() id: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<AdminUserDto> {
    await this.changes.deactivate(id, { viewer, origin: originOf(request) });
    return this.users.one(id, viewer);
  }

  @Patch(':id/role')
  @SuperAdminOnly()
  @ApiOperation({ summary: 'Make somebody an admin or a super admin, or take that back' })
  @ApiOkResponse({ type: AdminUserDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE, USER_NOT_FOUND, OWN_ACCOUNT)
  async changeRole(
    @IdParam() id: number,
    @Change() dto: ChangeRoleDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<AdminUserDto> {
    await this.changes.changeRole(id, dto, { viewer, origin: originOf(request) });
    return this.users.one(id, viewer);
  }

  @Post(':id/end-sessions')
  @AdminOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign somebody out everywhere' })
  @ApiOkResponse({ type: EndedSessionsDto })
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async endSessions(
    @IdParam() id: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<EndedSessionsDto> {
    return { ended: await this.changes.endSessions(id, { viewer, origin: originOf(request) }) };
  }

  @Post(':id/send-reset')
  @AdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Mail somebody a link to set a new password' })
  @ApiNoContentResponse()
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT, ACCOUNT_IS_DEACTIVATED, commonErrors.TOO_MANY_REQUESTS)
  sendReset(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.changes.sendReset(id, { viewer, origin: originOf(request) });
  }
}
