import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Response } from 'express';
import { MINUTE } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Public } from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import type { AppRequest } from '../../../platform/http/reading/viewer.js';
import { authErrors, passkeyErrors, singleSignOnErrors } from '../auth.errors.js';
import { signedInUser, SignedInUserDto } from '../dto/signed-in-user.dto.js';
import { FactorRequiredDto, FactorSignInDto } from '../factors/dto/factor-sign-in.dto.js';
import { originOf, SessionCookie } from '../sessions/session-cookie.service.js';
import { FactorSignIn, type ShownFactor } from './factor-sign-in.service.js';
import { PendingCookie } from '../shared/browser-cookies.js';

/** Many people sign in from one office; tries at one account are limited much lower, by `FactorTries`. */
export const FACTOR_LIMIT: RateRule = { name: 'factor-ip', limit: 200, window: 15 * MINUTE };

@ApiTags('auth')
@Controller('api/login/factor')
export class FactorSignInController {
  constructor(
    private readonly signIns: FactorSignIn,
    private readonly pending: PendingCookie,
    private readonly session: SessionCookie,
  ) {}

  @Get()
  @Public()
  @NetworkLimit(FACTOR_LIMIT)
  @Answers('List the second factors for the pending sign-in in this browser', FactorRequiredDto)
  @ApiErrors(authErrors.SIGN_IN_OVER)
  async look(@Req() request: AppRequest): Promise<FactorRequiredDto> {
    return { requiresFactor: true, factors: await this.signIns.look(this.pending.read(request)) };
  }

  @Post('passkey-options')
  @Public()
  @NetworkLimit(FACTOR_LIMIT)
  @HttpCode(200)
  @ApiOperation({
    summary: "Get the request options for the person's passkeys (PublicKeyCredentialRequestOptionsJSON)",
  })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiErrors(authErrors.SIGN_IN_OVER, commonErrors.TOO_MANY_REQUESTS)
  ask(@Req() request: AppRequest): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.signIns.ask(this.pending.read(request));
  }

  @Post()
  @Public()
  @NetworkLimit(FACTOR_LIMIT)
  @Answers(
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
    const token = this.pending.read(request);
    const previousSid = this.session.read(request);
    const opened = await this.signIns.complete(token, shownIn(dto), originOf(request), previousSid);
    this.pending.clear(response);
    this.session.write(response, opened.sid);
    return signedInUser(opened.user, opened.restricted);
  }
}

/** @throws VALIDATION_FAILED when there is none */
function shownIn({ code, recoveryCode, passkey }: FactorSignInDto): ShownFactor {
  if (passkey !== undefined) return { passkey };
  if (code !== undefined) return { code };
  if (recoveryCode !== undefined) return { recoveryCode };
  throw fieldError('code', { en: 'Please enter the 6 digits', tr: 'Lütfen 6 rakamı girin' });
}
