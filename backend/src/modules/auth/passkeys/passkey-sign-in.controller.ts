import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
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
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import { toSignedInUserDto, SignedInUserDto } from '../dto/signed-in-user.dto.js';
import { getSessionOrigin, SessionCookieService } from '../sessions/session-cookie.service.js';
import { PasskeySignInDto } from './dto/passkeys.dto.js';
import { PasskeyCookie } from '../shared/browser-cookies.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';

/** Called whenever the sign-in page opens, possibly by everyone in an office. */
const OPTIONS_LIMIT: RateRule = { name: 'passkey-options-ip', limit: 600, window: 15 * MINUTE };
const SIGN_IN_LIMIT: RateRule = { name: 'passkey-ip', limit: 200, window: 15 * MINUTE };

@ApiTags('auth')
@Controller('api/login/passkey')
export class PasskeySignInController {
  constructor(
    private readonly signIns: PasskeySignInService,
    private readonly passkeyCookie: PasskeyCookie,
    private readonly sessionCookie: SessionCookieService,
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
    return this.signIns.createRequestOptions(this.passkeyCookie.ensureBrowserId(request, response));
  }

  @Post()
  @Public()
  @NetworkLimit(SIGN_IN_LIMIT)
  @ApiJson('Sign in with a passkey only', SignedInUserDto)
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
    const previousSid = this.sessionCookie.read(request);
    const session = await this.signIns.completeSignIn(
      this.passkeyCookie.read(request),
      answer,
      getSessionOrigin(request),
      previousSid,
    );
    this.sessionCookie.write(response, session.sid);
    return toSignedInUserDto(session.user, session.restricted);
  }
}
