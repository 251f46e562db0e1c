import { Body, Controller, Delete, Get, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../../platform/config/app-config.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowIncompleteProfile,
  SkipMfaRequirement,
  RequireReauthentication,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiCreated, ApiNoContent } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { requiresMfa } from '../access/access.policy.js';
import { authErrors } from '../auth.errors.js';
import { getSessionOrigin } from '../sessions/session-cookie.service.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { MfaEnrolmentService } from './mfa-enrolment.service.js';
import { ConfirmAuthenticatorDto, FactorsDto, NewAuthenticatorDto, RecoveryCodesDto } from './dto/factors.dto.js';

@ApiTags('account')
@AllowIncompleteProfile()
@SignedIn()
@SessionOnly()
@SkipMfaRequirement()
@Controller('api/user/factors')
export class FactorsController {
  constructor(
    private readonly mfaEnrolment: MfaEnrolmentService,
    private readonly passkeys: PasskeyRepository,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @ApiJson('Your second factors', FactorsDto)
  async of(@CurrentViewer() viewer: Viewer): Promise<FactorsDto> {
    const passkeys = await this.passkeys.findPasskeys(viewer.userId);
    const required = requiresMfa(viewer, this.config.requiresAdminMfa);
    return { ...(await this.mfaEnrolment.getFactors(viewer.userId)), passkeys, required };
  }

  @Post()
  @RequireReauthentication()
  @ApiCreated(
    'Start setting up an authenticator app; it becomes active after the first valid code',
    NewAuthenticatorDto,
  )
  @ApiErrors(authErrors.FACTOR_ENROLLED)
  begin(@CurrentViewer() viewer: Viewer): Promise<NewAuthenticatorDto> {
    return this.mfaEnrolment.beginEnrolment(viewer);
  }

  @Post('verify')
  @RequireReauthentication()
  @ApiJson(
    'Activate the authenticator app with a first code; returns ten recovery codes, shown only once',
    RecoveryCodesDto,
  )
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.CODE_INVALID, commonErrors.TOO_MANY_REQUESTS)
  async confirm(
    @Body() { code }: ConfirmAuthenticatorDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<RecoveryCodesDto> {
    return {
      recoveryCodes: await this.mfaEnrolment.confirmEnrolment(viewer, code, getSessionOrigin(request).ipAddress),
    };
  }

  @Post('recovery-codes')
  @RequireReauthentication()
  @ApiJson('Replace the recovery codes with ten new ones, shown only once', RecoveryCodesDto)
  @ApiErrors(authErrors.FACTOR_MISSING)
  async renew(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.mfaEnrolment.renewRecoveryCodes(viewer, getSessionOrigin(request).ipAddress) };
  }

  @Delete()
  @RequireReauthentication()
  @ApiNoContent('Remove the authenticator app, and the recovery codes with the last factor')
  @ApiErrors(authErrors.FACTOR_MISSING)
  remove(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.mfaEnrolment.removeAuthenticator(viewer, getSessionOrigin(request).ipAddress);
  }
}
