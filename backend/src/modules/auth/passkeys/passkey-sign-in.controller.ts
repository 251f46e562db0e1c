import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
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
import type { AppRequest } from '../../../platform/http/reading/viewer.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import { signedInUser, SignedInUserDto } from '../dto/signed-in-user.dto.js';
import { originOf, SessionCookie } from '../sessions/session-cookie.service.js';
import { PasskeySignInDto } from './dto/passkeys.dto.js';
import { PasskeyCookie } from '../shared/browser-cookies.js';
import { PasskeySignIn } from './passkey-sign-in.service.js';

/** Asked whenever the page of signing in opens, by everybody in an office. */
const OPTIONS_LIMIT: RateRule = { name: 'passkey-options-ip', limit: 600, window: 15 * MINUTE };
const SIGN_IN_LIMIT: RateRule = { name: 'passkey-ip', limit: 200, window: 15 * MINUTE };

@ApiTags('auth')
@Controller('api/login/passkey')
export class PasskeySignInController {
  constructor(
    private readonly signIns: PasskeySignIn,
    private readonly browser: PasskeyCookie,
    private readonly session: SessionCookie,
  ) {}

  @Post('options')
  @Public()
  @NetworkLimit(OPTIONS_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Get the request options for passkeys (PublicKeyCredentialRequestOptionsJSON)' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  options(
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.signIns.ask(this.browser.renew(request, response));
  }

  @Post()
  @Public()
  @NetworkLimit(SIGN_IN_LIMIT)
  @Answers('Sign in with a passkey only', SignedInUserDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    passkeyErrors.PASSKEY_INVALID,
    authErrors.ACCOUNT_DEACTIVATED,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async signIn(
    @Body() { response: answer }: PasskeySignInDto,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInUserDto> {
    const previousSid = this.session.read(request);
    const opened = await this.signIns.complete(this.browser.read(request), answer, originOf(request), previousSid);
    this.session.write(response, opened.sid);
    return signedInUser(opened.user, opened.restricted);
  }
}
