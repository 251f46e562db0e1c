import { Body, Controller, Delete, Get, Patch, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AdminOnly, Confirmed, CurrentViewer, SuperAdminOnly } from '../../../platform/http/access.decorator.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import {
  Answers,
  AnswersAdminPage,
  AnswersCsv,
  AnswersNothing,
  AnswersPage,
} from '../../../platform/http/answers.decorator.js';
import { plainColumns } from '../../../platform/http/lists/csv-file.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { Change } from '../../../platform/http/change.decorator.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { IdParam } from '../../../platform/http/reading/id.pipe.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { authErrors, emailChangeErrors } from '../../auth/auth.errors.js';
import { CurrentActor, CurrentOperator, type Actor, type Operator } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { ExportService } from '../export.service.js';
import {
  AdminUserDetailDto,
  AdminUserDto,
  ChangeEmailDto,
  ChangeRoleDto,
  ConsentProofDto,
  EndedSessionsDto,
  InvitePersonDto,
} from '../dto/admin-user.dto.js';
import { ConsentProofs } from './consent-proofs.service.js';
import { UserQueryDto } from '../dto/list-query.dto.js';
import { AccountInviter } from './invitation/account-inviter.service.js';
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
    private readonly proofs: ConsentProofs,
    private readonly changes: UserChangesService,
    private readonly inviter: AccountInviter,
    private readonly exports: ExportService,
  ) {}

  @Get()
  @AdminOnly()
  @AnswersAdminPage('List the users', AdminUserDto)
  list(@Query() query: UserQueryDto, @CurrentViewer() viewer: Viewer): Promise<AdminPage<AdminUserDto>> {
    return this.users.page(query, viewer);
  }

  @Post()
  @SuperAdminOnly()
  @Confirmed()
  @AnswersNothing('Invite a person to create an account; people with an account get an email as well')
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  invite(@Body() dto: InvitePersonDto, @CurrentOperator() by: Operator): Promise<void> {
    return this.inviter.invite(dto, by);
  }

  @Get('export')
  @AdminOnly()
  @Confirmed()
  @AnswersCsv('Export the users as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  export(
    @Query() query: UserQueryDto,
    @CurrentViewer() viewer: Viewer,
    @CurrentActor() by: Actor,
  ): Promise<StreamableFile> {
    return this.exports.start('users', by, this.users.all(query, viewer), {
      ...plainColumns('id', 'email', 'firstName'),
      lastName: ({ lastName }) => (lastName === '.' ? null : lastName),
      username: ({ username }) => username,
      role: ({ role, isSuperAdmin }) => (isSuperAdmin ? 'super-admin' : role),
      ...plainColumns('state', 'plan'),
      zones: ({ zoneCount }) => zoneCount,
      ...plainColumns('createdAt', 'deactivatedAt'),
    });
  }

  @Get(':id')
  @AdminOnly()
  @Answers('Get an account with its figures', AdminUserDetailDto)
  @ApiErrors(USER_NOT_FOUND)
  detail(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<AdminUserDetailDto> {
    return this.details.of(id, viewer);
  }

  @Get(':id/consents')
  @SuperAdminOnly()
  @AnswersPage("List a user's email consents, including deleted zones, newest first", ConsentProofDto)
  @ApiErrors(USER_NOT_FOUND)
  async consents(
    @IdParam() id: number,
    @Query() query: ListQueryDto,
    @CurrentViewer() viewer: Viewer,
    @CurrentActor() by: Actor,
  ): Promise<Page<ConsentProofDto>> {
    await this.users.one(id, viewer);
    return this.proofs.of(id, by, query);
  }

  @Delete(':id')
  @SuperAdminOnly()
  @Confirmed()
  @AnswersNothing('Permanently delete an account and everything in it')
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  delete(@IdParam() id: number, @CurrentOperator() by: Operator): Promise<void> {
    return this.changes.delete(id, by);
  }

  @Post(':id/activate')
  @SuperAdminOnly()
  @Confirmed()
  @Answers("Reactivate an account; doesn't verify its email address", AdminUserDto)
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async activate(@IdParam() id: number, @CurrentOperator() by: Operator): Promise<AdminUserDto> {
    await this.changes.activate(id, by);
    return this.users.one(id, by.viewer);
  }

  @Post(':id/deactivate')
  @SuperAdminOnly()
  @Confirmed()
  @Answers('Deactivate an account: sessions end, zones and links answer as not found, payments pause', AdminUserDto)
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async deactivate(@IdParam() id: number, @CurrentOperator() by: Operator): Promise<AdminUserDto> {
    await this.changes.deactivate(id, by);
    return this.users.one(id, by.viewer);
  }

  @Patch(':id/role')
  @SuperAdminOnly()
  @Confirmed()
  @Answers("Change a user's role: user, admin or super admin", AdminUserDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE, USER_NOT_FOUND, OWN_ACCOUNT)
  async changeRole(
    @IdParam() id: number,
    @Change() dto: ChangeRoleDto,
    @CurrentOperator() by: Operator,
  ): Promise<AdminUserDto> {
    await this.changes.changeRole(id, dto, by);
    return this.users.one(id, by.viewer);
  }

  @Patch(':id/email')
  @SuperAdminOnly()
  @Confirmed()
  @Answers(
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
    @CurrentOperator() by: Operator,
  ): Promise<AdminUserDto> {
    await this.changes.changeEmail(id, dto, by);
    return this.users.one(id, by.viewer);
  }

  @Post(':id/reset-factors')
  @SuperAdminOnly()
  @Confirmed()
  @AnswersNothing('Turn off two-step sign-in for a user who lost access, and end all their sessions')
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT, authErrors.FACTOR_MISSING)
  resetFactors(@IdParam() id: number, @CurrentOperator() by: Operator): Promise<void> {
    return this.changes.resetFactors(id, by);
  }

  @Post(':id/end-sessions')
  @AdminOnly()
  @Answers('End all sessions of a user', EndedSessionsDto)
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT)
  async endSessions(@IdParam() id: number, @CurrentOperator() by: Operator): Promise<EndedSessionsDto> {
    return { ended: await this.changes.endSessions(id, by) };
  }

  @Post(':id/send-reset')
  @AdminOnly()
  @AnswersNothing('Email a user a link to set a new password')
  @ApiErrors(USER_NOT_FOUND, OWN_ACCOUNT, ACCOUNT_IS_DEACTIVATED, commonErrors.TOO_MANY_REQUESTS)
  sendReset(@IdParam() id: number, @CurrentOperator() by: Operator): Promise<void> {
    return this.changes.sendReset(id, by);
  }
}
