import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowReader,
  AllowFactorless,
  AllowRestricted,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../../platform/http/reading/language.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import type { AppRequest, Viewer } from '../../../platform/http/reading/viewer.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/answers.dto.js';
import { originOf } from '../sessions/session-cookie.service.js';
import { SignInFailures } from '../trail/sign-in-failures.service.js';
import { ConfirmationWaysDto, ConfirmDto, ConfirmedDto } from './confirmation.dto.js';
import { ConfirmationService } from './confirmation.service.js';

@ApiTags('account')
@AllowReader()
@AllowRestricted()
@SignedIn()
@SessionOnly()
@AllowFactorless()
@Controller('api/user/confirm')
export class ConfirmationController {
  constructor(
    private readonly confirmation: ConfirmationService,
    private readonly failures: SignInFailures,
  ) {}

  @Get()
  @Answers('List the ways to confirm your identity', ConfirmationWaysDto)
  async ways(@CurrentViewer() { userId }: Viewer): Promise<ConfirmationWaysDto> {
    return { ways: await this.confirmation.waysOf(userId) };
  }

  @Post()
  @Answers('Confirm your identity; for ten minutes, this session may then perform protected actions', ConfirmedDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.WRONG_PASSWORD,
    authErrors.CODE_INVALID,
    passkeyErrors.PASSKEY_INVALID,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async confirm(
    @Body() shown: ConfirmDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<ConfirmedDto> {
    const { ipAddress } = originOf(request);
    const confirmedUntil = await this.failures.notingConfirmation(viewer.userId, ipAddress, () =>
      this.confirmBy(viewer, shown),
    );
    return { confirmedUntil };
  }

  @Post('passkey-options')
  @HttpCode(200)
  @ApiOperation({ summary: 'Get the request options for your passkeys (PublicKeyCredentialRequestOptionsJSON)' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  askPasskey(@CurrentViewer() viewer: Viewer): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.confirmation.askPasskey(viewer);
  }

  @Post('mail')
  @Answers('Request a confirmation code by email, for accounts without a password', MessageDto)
  @ApiErrors(authErrors.CONFIRMATION_BY_OTHER_MEANS, commonErrors.TOO_MANY_REQUESTS)
  async mail(@CurrentViewer() viewer: Viewer, @RequestLanguage() language: Language): Promise<MessageDto> {
    await this.confirmation.mailCode(viewer);
    return {
      message: {
        en: "We've sent you a code. Please check your email.",
        tr: 'Size bir kod gönderdik. Lütfen e-postanıza bakın.',
      }[language],
    };
  }

  private confirmBy(viewer: Viewer, { password, code, passkey }: ConfirmDto): Promise<Date> {
    if (passkey !== undefined) return this.confirmation.byPasskey(viewer, passkey);
    if (password !== undefined) return this.confirmation.byPassword(viewer, password);
    if (code !== undefined) return this.confirmation.byCode(viewer, code);
    throw fieldError('password', {
      en: 'Please enter your password or a code',
      tr: 'Lütfen parolanızı veya bir kod girin',
    });
  }
}
