import { Body, Controller, HttpCode, Post, Req, Res, Get, Redirect } from '@nestjs/common';
import { ApiOperation, ApiTags, ApiFoundResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Language } from '../../../platform/errors/app-error.js';
import { HOUR } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowRestricted,
  CurrentViewer,
  Public,
  SessionOnly,
  SignedIn,
} from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequireProofOfWork } from '../../../platform/http/networks/proof-of-work.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/responses.dto.js';
import {
  ChangePasswordDto,
  CheckResetLinkDto,
  ForgotPasswordDto,
  ResetLinkDto,
  ResetPasswordDto,
} from '../dto/password.dto.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { getSessionOrigin } from '../sessions/session-cookie.service.js';
import { ApiSignInResponse, SignInResponseService, type EntryDto } from '../sign-in/sign-in-response.service.js';

const RESET_MAIL_LIMIT: RateRule = { name: 'reset-ip', limit: 100, window: HOUR };
/** Shared by checking and resetting, because both reveal whether a link is valid. */
const RESET_LIMIT: RateRule = { name: 'reset-try-ip', limit: 100, window: HOUR };

@ApiTags('auth')
@Controller('api')
export class PasswordController {
  constructor(
    private readonly resets: PasswordResetService,
    private readonly changes: PasswordChangeService,
    private readonly signInResponse: SignInResponseService,
  ) {}

  @Post('forgot-password')
  @Public()
  @RequireProofOfWork('forgot-password')
  @NetworkLimit(RESET_MAIL_LIMIT)
  @ApiJson('Request a link to set a new password', MessageDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async forgot(
    @Body() { email }: ForgotPasswordDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.resets.requestReset(email, getSessionOrigin(request));
    return {
      message: {
        en: "If there's an account with this email address, we've sent you a link to set a new password.",
        tr: 'Bu e-posta adresiyle bir hesap varsa yeni parola belirlemeniz için size bir bağlantı gönderdik.',
      }[language],
    };
  }

  @Post('reset-password')
  @Public()
  @NetworkLimit(RESET_LIMIT)
  @ApiJson('Set a new password with the emailed link; ends all sessions', MessageDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.TOKEN_INVALID,
    authErrors.PASSWORD_UNCHANGED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async reset(
    @Body() dto: ResetPasswordDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.resets.resetPassword(dto, getSessionOrigin(request));
    return { message: { en: 'Password reset successful!', tr: 'Parolanız sıfırlandı!' }[language] };
  }

  @Post('reset-password/check')
  @Public()
  @NetworkLimit(RESET_LIMIT)
  @ApiJson('Check whether the emailed link can still be used; changes nothing', ResetLinkDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  check(@Body() { token }: CheckResetLinkDto): Promise<ResetLinkDto> {
    return this.resets.checkLink(token);
  }

  @Post('change-password')
  @SignedIn()
  @AllowRestricted()
  @SessionOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Set a new password while signed in; ends all other sessions' })
  @ApiSignInResponse()
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.WRONG_PASSWORD,
    authErrors.PASSWORD_UNCHANGED,
    authErrors.EMAIL_MISMATCH,
    commonErrors.CONFIRMATION_REQUIRED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async change(
    @Body() dto: ChangePasswordDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    return this.signInResponse.writeSignInResponse(
      response,
      await this.changes.changePassword(viewer, dto, getSessionOrigin(request)),
    );
  }
}

/**
 * The URL where password managers look for the page to change a password (W3C, "A Well-Known URL for Changing
 * Passwords").
 */
@ApiTags('auth')
@Controller('.well-known/change-password')
export class ChangePasswordAddressController {
  @Get()
  @Public()
  @Redirect('/settings#password', 302)
  @ApiOperation({ summary: 'Redirect to the page for changing the password' })
  @ApiFoundResponse({ description: 'The settings' })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  lead(): void {
    // `@Redirect` does the work.
  }
}
