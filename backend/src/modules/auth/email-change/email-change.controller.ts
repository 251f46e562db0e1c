import { applyDecorators, Body, Controller, Post, Req, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HOUR } from '../../../platform/clock/clock.js';
import type { Language, Sentence } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowReader, CurrentViewer, Public, SessionOnly, SignedIn } from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { RequestLanguage } from '../../../platform/http/reading/language.js';
import type { AppRequest, Viewer } from '../../../platform/http/reading/viewer.js';
import { authErrors, emailChangeErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/answers.dto.js';
import { originOf } from '../sessions/session-cookie.service.js';
import { AskEmailChangeDto, EmailLinkDto, EmailLinkStateDto } from './dto/email-change.dto.js';
import { EmailChangeService } from './email-change.service.js';
import { EmailUndo } from './email-undo.service.js';

/** Of both links, looked at and followed. */
const LINK_LIMIT: RateRule = { name: 'email-link-ip', limit: 100, window: HOUR };

const asked: Sentence = {
  en: 'We have written to the new address. Your address changes when you press the button in that mail.',
  tr: 'Yeni adrese yazdık. Adresiniz, o e-postadaki düğmeye bastığınızda değişir.',
};
const changed: Sentence = { en: 'Your address has been changed.', tr: 'Adresiniz değiştirildi.' };
const undone: Sentence = {
  en: 'Your old address is back, and everybody has been signed out. We have mailed you a link to set a new password.',
  tr: 'Eski adresiniz geri geldi ve tüm oturumlar kapatıldı. Yeni bir parola belirlemeniz için size bir bağlantı gönderdik.',
};

/** A route for whoever bears a mailed link. */
const linkRoute = (path: string, summary: string, type: Type) =>
  applyDecorators(
    Post(path),
    Public(),
    NetworkLimit(LINK_LIMIT),
    Answers(summary, type),
    ApiErrors(commonErrors.VALIDATION_FAILED),
  );
const LookAtLink = (path: string, summary: string) => linkRoute(path, summary, EmailLinkStateDto);
const FollowLink = (path: string, summary: string) =>
  applyDecorators(
    linkRoute(path, summary, MessageDto),
    ApiErrors(authErrors.TOKEN_INVALID, emailChangeErrors.EMAIL_TAKEN),
  );

@ApiTags('account')
@Controller('api')
export class EmailChangeController {
  constructor(
    private readonly changes: EmailChangeService,
    private readonly undoing: EmailUndo,
  ) {}

  @Post('user/email')
  @AllowReader()
  @SignedIn()
  @SessionOnly()
  @Answers('Have a link sent to another address, by which it becomes yours', MessageDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.WRONG_PASSWORD,
    commonErrors.CONFIRMATION_REQUIRED,
    emailChangeErrors.EMAIL_UNCHANGED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async ask(
    @Body() { email, password }: AskEmailChangeDto,
    @CurrentViewer() viewer: Viewer,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.changes.ask(viewer, email, password, originOf(request));
    return { message: asked[language] };
  }

  @LookAtLink('email-change/check', 'What the link mailed to the new address would do; changes nothing')
  async check(@Body() { token }: EmailLinkDto): Promise<EmailLinkStateDto> {
    return { email: await this.changes.look(token) };
  }

  @FollowLink('email-change', 'Change the address by the mailed link')
  async complete(
    @Body() { token }: EmailLinkDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.changes.complete(token, originOf(request));
    return { message: changed[language] };
  }

  @LookAtLink('email-change/undo/check', 'What the link in the notice to the old address would do; changes nothing')
  async checkUndo(@Body() { token }: EmailLinkDto): Promise<EmailLinkStateDto> {
    return { email: await this.undoing.look(token) };
  }

  @FollowLink('email-change/undo', 'Put the old address back; ends all sessions and API tokens, and voids the password')
  async undo(
    @Body() { token }: EmailLinkDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.undoing.undo(token, originOf(request));
    return { message: undone[language] };
  }
}
