import { applyDecorators, Body, Controller, Post, Req, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HOUR } from '../../../platform/clock/clock.js';
import type { Language, LocalizedText } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowIncompleteProfile,
  CurrentViewer,
  Public,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors, emailChangeErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/responses.dto.js';
import { getSessionOrigin } from '../sessions/session-cookie.service.js';
import { AskEmailChangeDto, EmailLinkDto, EmailLinkStateDto } from './dto/email-change.dto.js';
import { EmailChangeService } from './email-change.service.js';
import { EmailChangeReversalService } from './email-change-reversal.service.js';

/** Shared by checking and using both links. */
const LINK_LIMIT: RateRule = { name: 'email-link-ip', limit: 100, window: HOUR };

const requestedMessage: LocalizedText = {
  en: "We've sent an email to the new address. Press the button in that email to change your address.",
  tr: 'Yeni adrese bir e-posta gönderdik. Adresinizi değiştirmek için e-postadaki düğmeye basın.',
};
const changedMessage: LocalizedText = {
  en: 'Your email address has been changed.',
  tr: 'E-posta adresiniz değiştirildi.',
};
const undoneMessage: LocalizedText = {
  en: "Your account uses your old email address again, and all devices have been signed out. We've emailed you a link to set a new password.",
  tr: 'Hesabınız yeniden eski e-posta adresinizi kullanıyor ve tüm cihazlarda oturum kapatıldı. Yeni bir parola belirlemeniz için size e-postayla bir bağlantı gönderdik.',
};

/** A public route; the emailed link is the authorisation. */
const linkRoute = (path: string, summary: string, type: Type) =>
  applyDecorators(
    Post(path),
    Public(),
    NetworkLimit(LINK_LIMIT),
    ApiJson(summary, type),
    ApiErrors(commonErrors.VALIDATION_FAILED),
  );
const CheckLinkRoute = (path: string, summary: string) => linkRoute(path, summary, EmailLinkStateDto);
const UseLinkRoute = (path: string, summary: string) =>
  applyDecorators(
    linkRoute(path, summary, MessageDto),
    ApiErrors(authErrors.TOKEN_INVALID, emailChangeErrors.EMAIL_TAKEN),
  );

@ApiTags('account')
@Controller('api')
export class EmailChangeController {
  constructor(
    private readonly changes: EmailChangeService,
    private readonly emailChangeReversal: EmailChangeReversalService,
  ) {}

  @Post('user/email')
  @AllowIncompleteProfile()
  @SignedIn()
  @SessionOnly()
  @ApiJson('Request a change of your email address; sends a confirmation link to the new address', MessageDto)
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
    await this.changes.requestChange(viewer, email, password, getSessionOrigin(request));
    return { message: requestedMessage[language] };
  }

  @CheckLinkRoute('email-change/check', 'Check the confirmation link sent to the new address; changes nothing')
  async check(@Body() { token }: EmailLinkDto): Promise<EmailLinkStateDto> {
    return { email: await this.changes.getNewEmailOfLink(token) };
  }

  @UseLinkRoute('email-change', 'Change the email address with the confirmation link')
  async complete(
    @Body() { token }: EmailLinkDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.changes.completeChange(token, getSessionOrigin(request));
    return { message: changedMessage[language] };
  }

  @CheckLinkRoute('email-change/undo/check', 'Check the undo link sent to the old address; changes nothing')
  async checkUndo(@Body() { token }: EmailLinkDto): Promise<EmailLinkStateDto> {
    return { email: await this.emailChangeReversal.getOldEmailOfLink(token) };
  }

  @UseLinkRoute(
    'email-change/undo',
    'Restore the old email address; ends all sessions, deletes API tokens and invalidates the password',
  )
  async undo(
    @Body() { token }: EmailLinkDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.emailChangeReversal.undoChange(token, getSessionOrigin(request));
    return { message: undoneMessage[language] };
  }
}
