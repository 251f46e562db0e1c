import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Response } from 'express';
import { MINUTE } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Public } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { authErrors, passkeyErrors, singleSignOnErrors } from '../auth.errors.js';
import { toSignedInUserDto, SignedInUserDto } from '../dto/signed-in-user.dto.js';
import { FactorRequiredDto, FactorSignInDto } from '../mfa/dto/factor-sign-in.dto.js';
import { getSessionOrigin, SessionCookieService } from '../sessions/session-cookie.service.js';
import { MfaSignInService, type MfaInput } from './mfa-sign-in.service.js';
import { PendingSignInCookie } from '../shared/browser-cookies.js';

/** An office shares one network. Attempts per account are limited much lower, by `MfaAttemptLimiterService`. */
export const MFA_LIMIT_PER_NETWORK: RateRule = { name: 'factor-ip', limit: 200, window: 15 * MINUTE };

@ApiTags('auth')
@Controller('api/login/factor')
export class FactorSignInController {
  constructor(
    private readonly signIns: MfaSignInService,
    private readonly pendingSignInCookie: PendingSignInCookie,
    private readonly sessionCookie: SessionCookieService,
  ) {}

  @Get()
  @Public()
  @NetworkLimit(MFA_LIMIT_PER_NETWORK)
  @ApiJson('List the second factors for the pending sign-in in this browser', FactorRequiredDto)
  @ApiErrors(authErrors.SIGN_IN_OVER)
  async look(@Req() request: AppRequest): Promise<FactorRequiredDto> {
    return { requiresFactor: true, factors: await this.signIns.listMethods(this.pendingSignInCookie.read(request)) };
  }

  @Post('passkey-options')
  @Public()
  @NetworkLimit(MFA_LIMIT_PER_NETWORK)
  @HttpCode(200)
  @ApiOperation({
    summary: "Get the request options for the person's passkeys (PublicKeyCredentialRequestOptionsJSON)",
  })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiErrors(authErrors.SIGN_IN_OVER, commonErrors.TOO_MANY_REQUESTS)
  ask(@Req() request: AppRequest): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.signIns.createPasskeyOptions(this.pendingSignInCookie.read(request));
  }

  @Post()
  @Public()
  @NetworkLimit(MFA_LIMIT_PER_NETWORK)
  @ApiJson(
    'The second step of a sign-in: a code of the authenticator app, a recovery code, or a passkey',
    SignedInUserDto,
  )
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.CODE_INVALID,
    passkeyErrors.PASSKEY_INVALID,
    authErrors.SIGN_IN_OVER,
    singleSignOnErrors.SSO_LINKED_ELSEWHERE,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async complete(
    @Body() dto: FactorSignInDto,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInUserDto> {
    const token = this.pendingSignInCookie.read(request);
    const previousSid = this.sessionCookie.read(request);
    const session = await this.signIns.completeSignIn(token, toMfaInput(dto), getSessionOrigin(request), previousSid);
    this.pendingSignInCookie.clear(response);
    this.sessionCookie.write(response, session.sid);
    return toSignedInUserDto(session.user, session.restricted);
  }
}

/** @throws VALIDATION_FAILED if no factor was sent */
function toMfaInput({ code, recoveryCode, passkey }: FactorSignInDto): MfaInput {
  if (passkey !== undefined) return { passkey };
  if (code !== undefined) return { code };
  if (recoveryCode !== undefined) return { recoveryCode };
  throw fieldError('code', { en: 'Please enter the 6 digits', tr: 'Lütfen 6 rakamı girin' });
}
