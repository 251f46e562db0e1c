import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowIncompleteProfile,
  SkipMfaRequirement,
  AllowRestricted,
  CurrentViewer,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/responses.dto.js';
import { getSessionOrigin } from '../sessions/session-cookie.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import { ConfirmationWaysDto, ConfirmDto, ConfirmedDto } from './confirmation.dto.js';
import { ReauthenticationService } from './reauthentication.service.js';

@ApiTags('account')
@AllowIncompleteProfile()
@AllowRestricted()
@SignedIn()
@SessionOnly()
@SkipMfaRequirement()
@Controller('api/user/confirm')
export class ConfirmationController {
  constructor(
    private readonly reauthentication: ReauthenticationService,
    private readonly authFailures: AuthFailureService,
  ) {}

  @Get()
  @ApiJson('List the ways to confirm your identity', ConfirmationWaysDto)
  async ways(@CurrentViewer() { userId }: Viewer): Promise<ConfirmationWaysDto> {
    return { ways: await this.reauthentication.listMethods(userId) };
  }

  @Post()
  @ApiJson('Confirm your identity; for ten minutes, this session may then perform protected actions', ConfirmedDto)
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
    const { ipAddress } = getSessionOrigin(request);
    const confirmedUntil = await this.authFailures.withConfirmationFailureRecording(viewer.userId, ipAddress, () =>
      this.confirmBy(viewer, shown),
    );
    return { confirmedUntil };
  }

  @Post('passkey-options')
  @HttpCode(200)
  @ApiOperation({ summary: 'Get the request options for your passkeys (PublicKeyCredentialRequestOptionsJSON)' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  askPasskey(@CurrentViewer() viewer: Viewer): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.reauthentication.createPasskeyOptions(viewer);
  }

  @Post('mail')
  @ApiJson('Request a confirmation code by email, for accounts without a password', MessageDto)
  @ApiErrors(authErrors.CONFIRMATION_BY_OTHER_MEANS, commonErrors.TOO_MANY_REQUESTS)
  async mail(@CurrentViewer() viewer: Viewer, @RequestLanguage() language: Language): Promise<MessageDto> {
    await this.reauthentication.sendConfirmationCode(viewer);
    return {
      message: {
        en: "We've sent you a code. Please check your email.",
        tr: 'Size bir kod gönderdik. Lütfen e-postanızı kontrol edin.',
      }[language],
    };
  }

  private confirmBy(viewer: Viewer, { password, code, passkey }: ConfirmDto): Promise<Date> {
    if (passkey !== undefined) return this.reauthentication.confirmByPasskey(viewer, passkey);
    if (password !== undefined) return this.reauthentication.confirmByPassword(viewer, password);
    if (code !== undefined) return this.reauthentication.confirmByCode(viewer, code);
    throw fieldError('password', {
      en: 'Please enter your password or a code',
      tr: 'Lütfen parolanızı veya bir kod girin',
    });
  }
}
