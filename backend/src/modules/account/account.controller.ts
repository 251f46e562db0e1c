import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Clock } from '../../platform/clock/clock.js';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AllowRestricted, CurrentViewer, SessionOnly, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/language.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { AddressVerificationService } from '../auth/address-verification.service.js';
import { authErrors } from '../auth/auth.errors.js';
import { MessageDto } from '../auth/dto/answers.dto.js';
import { originOf, SessionCookie } from '../auth/session-cookie.service.js';
import { accountErrors } from './account.errors.js';
import { CurrentUserService } from './current-user.service.js';
import { DeletionService } from './deletion.service.js';
import { CurrentUserDto } from './dto/current-user.dto.js';
import { DeleteAccountDto } from './dto/delete-account.dto.js';
import { ExportService } from './export.service.js';

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
  @ApiOperation({ summary: 'Who is signed in' })
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  user(@CurrentViewer() viewer: Viewer): Promise<CurrentUserDto> {
    return this.currentUser.of(viewer);
  }

  @Post('verification-mail')
  @SignedIn()
  @HttpCode(200)
  @ApiOperation({ summary: 'Have a link sent that verifies your address' })
  @ApiOkResponse({ type: MessageDto })
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
  @SessionOnly()
  @ApiOperation({ summary: 'Everything that is held of you, as a JSON file' })
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
    // A fault in the middle ends the connection without the end of the body, so that nobody takes it for the whole.
    await pipeline(Readable.from(text), response).catch(() => response.destroy());
  }

  @Delete()
  @SignedIn()
  @SessionOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete your account and everything in it, for good' })
  @ApiNoContentResponse()
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.WRONG_PASSWORD,
    accountErrors.LAST_SUPER_ADMIN,
    commonErrors.TOO_MANY_REQUESTS,
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
    en: 'We have sent you a link to verify your address.',
    tr: 'Adresinizi doğrulamanız için size bir bağlantı gönderdik.',
  },
  verified: { en: 'Your address is verified already.', tr: 'Adresiniz zaten doğrulanmış.' },
};
