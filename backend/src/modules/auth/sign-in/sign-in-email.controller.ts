import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Public } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { RequireProofOfWork } from '../../../platform/http/networks/proof-of-work.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/responses.dto.js';
import { getSessionOrigin, SessionCookieService } from '../sessions/session-cookie.service.js';
import { ApiSignInResponse, SignInResponseService, type EntryDto } from './sign-in-response.service.js';
import { SignInCodeDto, SignInLinkDto, SignInLinkStateDto, SignInMailDto } from './sign-in-email.dto.js';
import { SignInEmailService } from './sign-in-email.service.js';

const EMAIL_LIMIT: RateRule = { name: 'sign-in-mail-ip', limit: 100, window: HOUR };
/** Shared by checking a link, using it and entering a code, because each reveals whether something is valid. */
const ATTEMPT_LIMIT: RateRule = { name: 'sign-in-mail-try-ip', limit: 100, window: 15 * MINUTE };

/** Sign-in by email, without a password. */
@ApiTags('auth')
@Controller('api')
export class SignInMailController {
  constructor(
    private readonly mails: SignInEmailService,
    private readonly sessionCookie: SessionCookieService,
    private readonly signInResponse: SignInResponseService,
  ) {}

  @Post('sign-in-mails')
  @Public()
  @RequireProofOfWork('sign-in-mail')
  @NetworkLimit(EMAIL_LIMIT)
  @ApiJson('Request a sign-in email with a link and a code', MessageDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async ask(
    @Body() { email, next }: SignInMailDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.mails.requestSignInEmail(email, next ?? null, getSessionOrigin(request));
    return {
      message: {
        en: "If there's an account with this email address, we've sent you an email to sign in.",
        tr: 'Bu e-posta adresiyle bir hesap varsa giriş yapmanız için size bir e-posta gönderdik.',
      }[language],
    };
  }

  @Post('sign-in-links/check')
  @Public()
  @NetworkLimit(ATTEMPT_LIMIT)
  @ApiJson('Check whether the emailed link can still be used; changes nothing', SignInLinkStateDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async check(@Body() { token }: SignInLinkDto): Promise<SignInLinkStateDto> {
    return { usable: await this.mails.isLinkUsable(token) };
  }

  @Post('sign-in-links')
  @Public()
  @NetworkLimit(ATTEMPT_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with the emailed link' })
  @ApiSignInResponse()
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.TOKEN_INVALID, commonErrors.TOO_MANY_REQUESTS)
  async byLink(
    @Body() { token }: SignInLinkDto,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    return this.signInResponse.writeSignInResponse(
      response,
      await this.mails.signInByLink(token, getSessionOrigin(request), this.sessionCookie.read(request)),
    );
  }

  @Post('sign-in-codes')
  @Public()
  @NetworkLimit(ATTEMPT_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with the emailed code' })
  @ApiSignInResponse()
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.CODE_INVALID, commonErrors.TOO_MANY_REQUESTS)
  async byCode(
    @Body() { email, code }: SignInCodeDto,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    return this.signInResponse.writeSignInResponse(
      response,
      await this.mails.signInByCode(email, code, getSessionOrigin(request), this.sessionCookie.read(request)),
    );
  }
}
