import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Clock } from '../../platform/clock/clock.js';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import {
  AllowReader,
  AllowFactorless,
  AllowRestricted,
  Confirmed,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../platform/http/access.decorator.js';
import { Answers, AnswersNothing } from '../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/reading/language.js';
import type { AppRequest, Viewer } from '../../platform/http/reading/viewer.js';
import { sendStream } from '../../platform/streams/send-stream.js';
import { AddressVerificationService } from '../auth/registration/address-verification.service.js';
import { authErrors } from '../auth/auth.errors.js';
import { MessageDto } from '../auth/dto/answers.dto.js';
import { originOf, SessionCookie } from '../auth/sessions/session-cookie.service.js';
import { accountErrors } from './account.errors.js';
import { CurrentUserService } from './current-user.service.js';
import { DeletionService } from './erasure/deletion.service.js';
import { CurrentUserDto } from './dto/current-user.dto.js';
import { DeleteAccountDto } from './dto/profile.dto.js';
import { ExportService } from './personal-data/export.service.js';

@ApiTags('account')
@Controller('api/user')
export class AccountController {
  constructor(
    private readonly currentUser: CurrentUserService,
    private readonly addresses: AddressVerificationService,
    private readonly exports: ExportService,
    private readonly deletion: DeletionService,
    private readonly cookie: SessionCookie,
    private readonly clock: Clock,
  ) {}

  @Get()
  @SignedIn()
  @AllowRestricted()
  @AllowFactorless()
  @Answers('Get the signed-in user', CurrentUserDto)
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  user(@CurrentViewer() viewer: Viewer): Promise<CurrentUserDto> {
    return this.currentUser.of(viewer);
  }

  @Post('verification-mail')
  @AllowReader()
  @SignedIn()
  @Answers('Request a link to verify your email address', MessageDto)
  @ApiErrors(commonErrors.NOT_SIGNED_IN, commonErrors.TOO_MANY_REQUESTS)
  async sendVerificationMail(
    @CurrentViewer() { userId }: Viewer,
    @RequestLanguage() language: Language,
  ): Promise<MessageDto> {
    const sent = await this.addresses.ask(userId);
    return { message: verificationSentences[sent ? 'sent' : 'verified'][language] };
  }

  @Get('export')
  @SignedIn()
  @Confirmed()
  @ApiOperation({ summary: 'Export all data about you as a JSON file' })
  @ApiOkResponse({
    description: 'One object with a list for each kind of data',
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  })
  @ApiErrors(commonErrors.NOT_SIGNED_IN, commonErrors.TOO_MANY_REQUESTS)
  async export(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest, @Res() response: Response): Promise<void> {
    const text = await this.exports.start(viewer, originOf(request).ipAddress);
    const day = this.clock.now().toISOString().slice(0, 10);
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="zonary-export-${day}.json"`,
      'Cache-Control': 'private, no-store',
    });
    await sendStream(Readable.from(text), response);
  }

  @Delete()
  @AllowReader()
  @SignedIn()
  @SessionOnly()
  @AnswersNothing('Permanently delete your account and everything in it')
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
    await this.deletion.delete(viewer, password, originOf(request).ipAddress);
    this.cookie.clear(response);
  }
}

const verificationSentences = {
  sent: {
    en: "We've sent you a link to verify your email address.",
    tr: 'E-posta adresinizi doğrulamanız için size bir bağlantı gönderdik.',
  },
  verified: { en: 'Your email address is already verified.', tr: 'E-posta adresiniz zaten doğrulanmış.' },
};
