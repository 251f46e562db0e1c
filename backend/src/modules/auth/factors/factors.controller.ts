import { Body, Controller, Delete, Get, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../../platform/config/app-config.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowReader,
  AllowFactorless,
  Confirmed,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { Answers, AnswersCreated, AnswersNothing } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { AppRequest, Viewer } from '../../../platform/http/reading/viewer.js';
import { mustHaveFactor } from '../access/access.policy.js';
import { authErrors } from '../auth.errors.js';
import { originOf } from '../sessions/session-cookie.service.js';
import { PasskeyRegistration } from '../passkeys/passkey-registration.service.js';
import { FactorEnrolment } from './factor-enrolment.service.js';
import { ConfirmAuthenticatorDto, FactorsDto, NewAuthenticatorDto, RecoveryCodesDto } from './dto/factors.dto.js';

@ApiTags('account')
@AllowReader()
@SignedIn()
@SessionOnly()
@AllowFactorless()
@Controller('api/user/factors')
export class FactorsController {
  constructor(
    private readonly enrolment: FactorEnrolment,
    private readonly passkeys: PasskeyRegistration,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @Answers('Your second factors', FactorsDto)
  async of(@CurrentViewer() viewer: Viewer): Promise<FactorsDto> {
    const passkeys = await this.passkeys.list(viewer.userId);
    const required = mustHaveFactor(viewer, this.config.requiresStaffFactor);
    return { ...(await this.enrolment.of(viewer.userId)), passkeys, required };
  }

  @Post()
  @Confirmed()
  @AnswersCreated(
    'Start setting up an authenticator app; it becomes active after the first valid code',
    NewAuthenticatorDto,
  )
  @ApiErrors(authErrors.FACTOR_ENROLLED)
  begin(@CurrentViewer() viewer: Viewer): Promise<NewAuthenticatorDto> {
    return this.enrolment.begin(viewer);
  }

  @Post('verify')
  @Confirmed()
  @Answers(
    'Activate the authenticator app with a first code; returns ten recovery codes, shown only once',
    RecoveryCodesDto,
  )
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.CODE_INVALID, commonErrors.TOO_MANY_REQUESTS)
  async confirm(
    @Body() { code }: ConfirmAuthenticatorDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.enrolment.confirm(viewer, code, originOf(request).ipAddress) };
  }

  @Post('recovery-codes')
  @Confirmed()
  @Answers('Replace the recovery codes with ten new ones, shown only once', RecoveryCodesDto)
  @ApiErrors(authErrors.FACTOR_MISSING)
  async renew(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.enrolment.renewRecoveryCodes(viewer, originOf(request).ipAddress) };
  }

  @Delete()
  @Confirmed()
  @AnswersNothing('Remove the authenticator app, and the recovery codes with the last factor')
  @ApiErrors(authErrors.FACTOR_MISSING)
  remove(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.enrolment.removeAuthenticator(viewer, originOf(request).ipAddress);
  }
}
