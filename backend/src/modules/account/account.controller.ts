import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Clock } from '../../platform/clock/clock.js';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import {
  AllowIncompleteProfile,
  SkipMfaRequirement,
  AllowRestricted,
  RequireReauthentication,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent } from '../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/parsing/request-language.js';
import type { AppRequest, Viewer } from '../../platform/http/parsing/viewer.js';
import { sendStream } from '../../platform/streams/send-stream.js';
import { EmailVerificationService } from '../auth/registration/email-verification.service.js';
import { authErrors } from '../auth/auth.errors.js';
import { MessageDto } from '../auth/dto/responses.dto.js';
import { getSessionOrigin, SessionCookieService } from '../auth/sessions/session-cookie.service.js';
import { accountErrors } from './account.errors.js';
import { CurrentUserService } from './current-user.service.js';
import { AccountDeletionService } from './deletion/account-deletion.service.js';
import { CurrentUserDto } from './dto/current-user.dto.js';
import { DeleteAccountDto } from './dto/profile.dto.js';
import { PersonalDataExportService } from './personal-data/personal-data-export.service.js';

@ApiTags('account')
@Controller('api/user')
export class AccountController {
  constructor(
    private readonly currentUser: CurrentUserService,
    private readonly addresses: EmailVerificationService,
    private readonly exports: PersonalDataExportService,
    private readonly accountDeletion: AccountDeletionService,
    private readonly sessionCookie: SessionCookieService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @SignedIn()
  @AllowRestricted()
  @SkipMfaRequirement()
  @ApiJson('Get the signed-in user', CurrentUserDto)
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  user(@CurrentViewer() viewer: Viewer): Promise<CurrentUserDto> {
    return this.currentUser.getCurrentUser(viewer);
  }

  @Post('verification-mail')
  @AllowIncompleteProfile()
  @SignedIn()
  @ApiJson('Request a link to verify your email address', MessageDto)
  @ApiErrors(commonErrors.NOT_SIGNED_IN, commonErrors.TOO_MANY_REQUESTS)
  async sendVerificationMail(
    @CurrentViewer() { userId }: Viewer,
    @RequestLanguage() language: Language,
  ): Promise<MessageDto> {
    const sent = await this.addresses.requestVerification(userId);
    return { message: verificationMessages[sent ? 'sent' : 'verified'][language] };
  }

  @Get('export')
  @SignedIn()
  @RequireReauthentication()
  @ApiOperation({ summary: 'Export all data about you as a JSON file' })
  @ApiOkResponse({
    description: 'One object with a list for each kind of data',
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  })
  @ApiErrors(commonErrors.NOT_SIGNED_IN, commonErrors.TOO_MANY_REQUESTS)
  async export(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest, @Res() response: Response): Promise<void> {
    const text = await this.exports.startExport(viewer, getSessionOrigin(request).ipAddress);
    const day = this.clock.now().toISOString().slice(0, 10);
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="zonary-export-${day}.json"`,
      'Cache-Control': 'private, no-store',
    });
    await sendStream(Readable.from(text), response);
  }

  @Delete()
  @AllowIncompleteProfile()
  @SignedIn()
  @SessionOnly()
  @ApiNoContent('Permanently delete your account and everything in it')
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.WRONG_PASSWORD,
    commonErrors.CONFIRMATION_REQUIRED,
    accountErrors.LAST_SUPER_ADMIN,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async delete(
    @Body() { password }: DeleteAccountDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.accountDeletion.deleteOwnAccount(viewer, password, getSessionOrigin(request).ipAddress);
    this.sessionCookie.clear(response);
  }
}

const verificationMessages = {
  sent: {
    en: "We've sent you a link to verify your email address.",
    tr: 'E-posta adresinizi doğrulamanız için size bir bağlantı gönderdik.',
  },
  verified: { en: 'Your email address is already verified.', tr: 'E-posta adresiniz zaten doğrulanmış.' },
};
