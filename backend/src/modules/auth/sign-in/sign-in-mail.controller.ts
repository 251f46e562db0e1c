import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Public } from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { AsksForWork } from '../../../platform/http/networks/asks-for-work.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import { RequestLanguage } from '../../../platform/http/reading/language.js';
import type { AppRequest } from '../../../platform/http/reading/viewer.js';
import { authErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/answers.dto.js';
import { originOf, SessionCookie } from '../sessions/session-cookie.service.js';
import { ApiEntryResponse, EntryAnswer, type EntryDto } from './entry-answer.service.js';
import { SignInCodeDto, SignInLinkDto, SignInLinkStateDto, SignInMailDto } from './sign-in-mail.dto.js';
import { SignInMailService } from './sign-in-mail.service.js';

const MAIL_LIMIT: RateRule = { name: 'sign-in-mail-ip', limit: 100, window: HOUR };
/** Looking at a link, using it and typing a code have one count: each tells whether something is good. */
const TRY_LIMIT: RateRule = { name: 'sign-in-mail-try-ip', limit: 100, window: 15 * MINUTE };

/** Sign-in by a mail, without a password. */
@ApiTags('auth')
@Controller('api')
export class SignInMailController {
  constructor(
    private readonly mails: SignInMailService,
    private readonly cookie: SessionCookie,
    private readonly answer: EntryAnswer,
  ) {}

  @Post('sign-in-mails')
  @Public()
  @AsksForWork('sign-in-mail')
  @NetworkLimit(MAIL_LIMIT)
  @Answers('Request a sign-in email with a link and a code', MessageDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async ask(
    @Body() { email, next }: SignInMailDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.mails.ask(email, next ?? null, originOf(request));
    return {
      message: {
        en: "If there's an account with this email address, we've sent you an email to sign in.",
        tr: 'Bu e-posta adresiyle bir hesap varsa giriş yapmanız için size bir e-posta gönderdik.',
      }[language],
    };
  }

  @Post('sign-in-links/check')
  @Public()
  @NetworkLimit(TRY_LIMIT)
  @Answers('Check whether the emailed link can still be used; changes nothing', SignInLinkStateDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async check(@Body() { token }: SignInLinkDto): Promise<SignInLinkStateDto> {
    return { usable: await this.mails.isUsable(token) };
  }

  @Post('sign-in-links')
  @Public()
  @NetworkLimit(TRY_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with the emailed link' })
  @ApiEntryResponse()
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.TOKEN_INVALID, commonErrors.TOO_MANY_REQUESTS)
  async byLink(
    @Body() { token }: SignInLinkDto,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    return this.answer.send(response, await this.mails.byLink(token, originOf(request), this.cookie.read(request)));
  }

  @Post('sign-in-codes')
  @Public()
  @NetworkLimit(TRY_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with the emailed code' })
  @ApiEntryResponse()
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.CODE_INVALID, commonErrors.TOO_MANY_REQUESTS)
  async byCode(
    @Body() { email, code }: SignInCodeDto,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    return this.answer.send(
      response,
      await this.mails.byCode(email, code, originOf(request), this.cookie.read(request)),
    );
  }
}
