import { Body, Controller, Delete, Get, Patch, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AdminOnly,
  RequireReauthentication,
  CurrentViewer,
  SuperAdminOnly,
} from '../../../platform/http/access.decorator.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import {
  ApiJson,
  ApiAdminPaginated,
  ApiCsv,
  ApiNoContent,
  ApiPaginated,
} from '../../../platform/http/api-response.decorator.js';
import { fieldColumns } from '../../../platform/http/lists/csv-file.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { NonEmptyBody } from '../../../platform/http/non-empty-body.decorator.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors, emailChangeErrors } from '../../auth/auth.errors.js';
import { CurrentActor, CurrentOperator, type Actor, type Operator } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { ListExportService } from '../list-export.service.js';
import {
  AdminUserDetailDto,
  AdminUserDto,
  ChangeEmailDto,
  ChangeRoleDto,
  ConsentProofDto,
  EndedSessionsDto,
  InvitePersonDto,
} from '../dto/admin-user.dto.js';
import { ConsentProofService } from './consent-proof.service.js';
import { UserQueryDto } from '../dto/list-query.dto.js';
import { AccountInvitationService } from './invitation/account-invitation.service.js';
import { UserAdminService } from './user-admin.service.js';
import { UserDetailService } from './user-detail.service.js';
import { UserListService } from './user-list.service.js';
import { displayedLastName } from '../../auth/entities/user.entity.js';

const { USER_NOT_FOUND, OWN_ACCOUNT, ACCOUNT_IS_DEACTIVATED } = adminErrors;

@ApiTags('admin')
@Controller('api/admin/users')
export class AdminUsersController {
  constructor(
    private readonly users: UserListService,
    private readonly details: UserDetailService,
    private readonly consentProofs: ConsentProofService,
    private readonly userAdmin: UserAdminService,
    private readonly accountInvitations: AccountInvitationService,
    private readonly exports: ListExportService,
  ) {}

  @Get()
  @AdminOnly()
  @ApiAdminPaginated('List the users', AdminUserDto)
  list(@Query() query: UserQueryDto, @CurrentViewer() viewer: Viewer): Promise<AdminPage<AdminUserDto>> {
    return this.users.listPage(query, viewer);
  }

  @Post()
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiNoContent('Invite a person to create an account; people with an account get an email as well')
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  invite(@Body() dto: InvitePersonDto, @CurrentOperator() operator: Operator): Promise<void> {
    return this.accountInvitations.invitePerson(dto, operator);
  }

  @Get('export')
  @AdminOnly()
  @RequireReauthentication()
  @ApiCsv('Export the users as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  export(
    @Query() query: UserQueryDto,
    @CurrentViewer() viewer: Viewer,
    @CurrentActor() actor: Actor,
  ): Promise<StreamableFile> {
    return this.exports.exportList('users', actor, this.users.streamAll(query, viewer), {
      ...fieldColumns('id', 'email', 'firstName'),
      lastName: displayedLastName,
      username: ({ username }) => username,
      role: ({ role, isSuperAdmin }) => (isSuperAdmin ? 'super-admin' : role),
      ...fieldColumns('state', 'plan'),
      zones: ({ zoneCount }) => zoneCount,
      ...fieldColumns('createdAt', 'deactivatedAt'),
    });
  }

  @Get(':id')
  @AdminOnly()
  @ApiJson('Get an account with its figures', AdminUserDetailDto)
  @ApiErrors(USER_NOT_FOUND)
  detail(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<AdminUserDetailDto> {
    return this.details.getDetail(id, viewer);
  }

  @Get(':id/consents')
  @SuperAdminOnly()
  @ApiPaginated("List a user's email consents, including deleted zones, newest first", ConsentProofDto)
  @ApiErrors(USER_NOT_FOUND)
  async consents(
    @IdParam() id: number,
    @Query() query: ListQueryDto,
    @CurrentViewer() viewer: Viewer,
    @CurrentActor() actor: Actor,
  ): Promise<Page<ConsentProofDto>> {
    await this.users.getUser(id, viewer);
    return this.consentProofs.listProofs(id, actor, query);
  }

  @Delete(':id')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiNoContent('Permanently delete an account and everything in it')
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  delete(@IdParam() id: number, @CurrentOperator() operator: Operator): Promise<void> {
    return this.userAdmin.deleteUser(id, operator);
  }

  @Post(':id/activate')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiJson("Reactivate an account; doesn't verify its email address", AdminUserDto)
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async activate(@IdParam() id: number, @CurrentOperator() operator: Operator): Promise<AdminUserDto> {
    await this.userAdmin.activateUser(id, operator);
    return this.users.getUser(id, operator.viewer);
  }

  @Post(':id/deactivate')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiJson('Deactivate an account: sessions end, zones and links answer as not found, payments pause', AdminUserDto)
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async deactivate(@IdParam() id: number, @CurrentOperator() operator: Operator): Promise<AdminUserDto> {
    await this.userAdmin.deactivateUser(id, operator);
    return this.users.getUser(id, operator.viewer);
  }

  @Patch(':id/role')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiJson("Change a user's role: user, admin or super admin", AdminUserDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE, USER_NOT_FOUND, OWN_ACCOUNT)
  async changeRole(
    @IdParam() id: number,
    @NonEmptyBody() dto: ChangeRoleDto,
    @CurrentOperator() operator: Operator,
  ): Promise<AdminUserDto> {
    await this.userAdmin.changeRole(id, dto, operator);
    return this.users.getUser(id, operator.viewer);
  }

  @Patch(':id/email')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiJson(
    "Change an account's email address; both addresses are notified, and the new one must be verified",
    AdminUserDto,
  )
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    USER_NOT_FOUND,
    OWN_ACCOUNT,
    emailChangeErrors.EMAIL_TAKEN,
    emailChangeErrors.EMAIL_UNCHANGED,
  )
  async changeEmail(
    @IdParam() id: number,
    @Body() dto: ChangeEmailDto,
    @CurrentOperator() operator: Operator,
  ): Promise<AdminUserDto> {
    await this.userAdmin.changeEmail(id, dto, operator);
    return this.users.getUser(id, operator.viewer);
  }

  @Post(':id/reset-factors')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiNoContent('Turn off two-step sign-in for a user who lost access, and end all their sessions')
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT, authErrors.FACTOR_MISSING)
  resetFactors(@IdParam() id: number, @CurrentOperator() operator: Operator): Promise<void> {
    return this.userAdmin.resetFactors(id, operator);
  }

  @Post(':id/end-sessions')
  @AdminOnly()
  @ApiJson('End all sessions of a user', EndedSessionsDto)
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async endSessions(@IdParam() id: number, @CurrentOperator() operator: Operator): Promise<EndedSessionsDto> {
    return { ended: await this.userAdmin.endSessions(id, operator) };
  }

  @Post(':id/send-reset')
  @AdminOnly()
  @ApiNoContent('Email a user a link to set a new password')
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT, ACCOUNT_IS_DEACTIVATED, commonErrors.TOO_MANY_REQUESTS)
  sendReset(@IdParam() id: number, @CurrentOperator() operator: Operator): Promise<void> {
    return this.userAdmin.sendPasswordReset(id, operator);
  }
}
