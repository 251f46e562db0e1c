import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AllowRestricted, CurrentViewer, Public, SessionOnly, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/language.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { authErrors } from './auth.errors.js';
import { MessageDto } from './dto/answers.dto.js';
import {
  ChangePasswordDto,
  CheckResetLinkDto,
  ForgotPasswordDto,
  ResetLinkDto,
  ResetPasswordDto,
} from './dto/password.dto.js';
import { signedInUser, SignedInUserDto } from './dto/signed-in-user.dto.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { originOf, SessionCookie } from './session-cookie.service.js';

@ApiTags('auth')
@Controller('api')
export class PasswordController {
  constructor(
    private readonly resets: PasswordResetService,
    private readonly changes: PasswordChangeService,
    private readonly cookie: SessionCookie,
  ) {}

  @Post('forgot-password')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Ask for a link to set a new password' })
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async forgot(
    @Body() { email }: ForgotPasswordDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.resets.ask(email, originOf(request));
    return {
      message: {
        en: 'If this address has an account, we have sent it a link to set a new password.',
        tr: 'Bu adresin bir hesabı varsa yeni parola belirlemek için bir bağlantı gönderdik.',
      }[language],
    };
  }

  @Post('reset-password')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Set a new password with the mailed link; ends all sessions' })
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.TOKEN_INVALID,
    authErrors.PASSWORD_UNCHANGED,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async reset(
    @Body() dto: ResetPasswordDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.resets.reset(dto, originOf(request));
    return { message: { en: 'Password reset successful!', tr: 'Parolanız sıfırlandı!' }[language] };
  }

  @Post('reset-password/check')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Whether the mailed link can still be used; changes nothing' })
  @ApiOkResponse({ type: ResetLinkDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async check(@Body() { token }: CheckResetLinkDto, @Req() request: AppRequest): Promise<ResetLinkDto> {
    return { usable: await this.resets.isUsable(token, originOf(request)) };
  }

  @Post('change-password')
  @SignedIn()
  @AllowRestricted()
  @SessionOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Set a new password while signed in; ends all other sessions' })
  @ApiOkResponse({ type: SignedInUserDto })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.WRONG_PASSWORD,
    authErrors.PASSWORD_UNCHANGED,
    authErrors.EMAIL_MISMATCH,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async change(
    @Body() dto: ChangePasswordDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInUserDto> {
    const { user, restricted, sid } = await this.changes.change(viewer, dto, originOf(request));
    this.cookie.write(response, sid);
    return signedInUser(user, restricted);
  }
}
