import { Body, Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
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
import type { RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { RequireProofOfWork } from '../../../platform/http/networks/proof-of-work.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { authErrors } from '../auth.errors.js';
import { AvailabilityDto, CodeSentDto, MessageDto } from '../dto/responses.dto.js';
import { CheckPasswordDto, PasswordVerdictDto } from '../dto/password.dto.js';
import { CompleteProfileDto, LoginDto, RegisterDto, SendVerificationDto } from '../dto/register.dto.js';
import { LocalAuthGuard } from './local-auth.guard.js';
import { ProfileCompletionService } from '../registration/profile-completion.service.js';
import { RegistrationService } from '../registration/registration.service.js';
import { SessionCookieService, getSessionOrigin } from '../sessions/session-cookie.service.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { ApiSignInResponse, SignInResponseService, type EntryDto } from './sign-in-response.service.js';
import { SignInService, type VerifiedCredentials } from './sign-in.service.js';
import { UsernameAvailabilityService } from '../registration/username-availability.service.js';

const CODE_LIMIT: RateRule = { name: 'code-ip', limit: 100, window: HOUR };
/**
 * Allows a class behind one address to register within an hour. The expensive hash runs only after the code (ADR 0031).
 */
const REGISTER_LIMIT: RateRule = { name: 'register-ip', limit: 100, window: HOUR };
const CHECK_LIMIT: RateRule = { name: 'password-check-ip', limit: 100, window: 15 * MINUTE };
const PROFILE_LIMIT: RateRule = { name: 'profile-ip', limit: 100, window: HOUR };

@ApiTags('auth')
@Controller('api')
export class AuthController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly signIns: SignInService,
    private readonly profiles: ProfileCompletionService,
    private readonly sessions: SessionRepository,
    private readonly usernames: UsernameAvailabilityService,
    private readonly sessionCookie: SessionCookieService,
    private readonly signInResponse: SignInResponseService,
  ) {}

  @Post('send-verification')
  @Public()
  @RequireProofOfWork('send-verification')
  @NetworkLimit(CODE_LIMIT)
  @ApiJson('Send a 6-digit verification code to an email address for registration', CodeSentDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async sendVerification(
    @Body() { email }: SendVerificationDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<CodeSentDto> {
    const { mailsDelayed } = await this.registration.sendVerificationCode(email, language, getSessionOrigin(request));
    return {
      mailsDelayed,
      message: {
        en: 'Please check your email for the 6-digit verification code.',
        tr: '6 haneli doğrulama kodu için lütfen e-postanızı kontrol edin.',
      }[language],
    };
  }

  @Post('check-password')
  @Public()
  @NetworkLimit(CHECK_LIMIT)
  @ApiJson("Check the strength of a password; the password isn't stored", PasswordVerdictDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS, commonErrors.SERVER_BUSY)
  async checkPassword(
    @Body() dto: CheckPasswordDto,
    @RequestLanguage() language: Language,
  ): Promise<PasswordVerdictDto> {
    const passwordError = await this.registration.checkPassword(dto);
    return { ok: passwordError === null, message: passwordError?.[language] ?? null };
  }

  @Post('register')
  @Public()
  @NetworkLimit(REGISTER_LIMIT)
  @ApiOperation({ summary: 'Create an account with the verification code, and sign in' })
  @ApiSignInResponse(201)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.CODE_INVALID,
    authErrors.USERNAME_TAKEN,
    authErrors.USERNAME_RESERVED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async register(
    @Body() dto: RegisterDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    return this.signInResponse.writeSignInResponse(
      response,
      await this.registration.register(dto, language, getSessionOrigin(request)),
    );
  }

  @Post('login')
  @Public()
  @UseGuards(LocalAuthGuard)
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with email address and password' })
  @ApiBody({ type: LoginDto })
  @ApiSignInResponse()
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.INVALID_CREDENTIALS,
    authErrors.ACCOUNT_DEACTIVATED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async login(
    @Req() request: AppRequest,
    @RequestLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    const { signInResult } = await this.signIns.signIn(
      request.user as VerifiedCredentials,
      language,
      getSessionOrigin(request),
      this.sessionCookie.read(request),
    );
    return this.signInResponse.writeSignInResponse(response, signInResult);
  }

  @Post('logout')
  @Public()
  @ApiJson('End this session', MessageDto)
  @ApiErrors(commonErrors.CROSS_SITE)
  async logout(
    @Req() request: AppRequest,
    @RequestLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MessageDto> {
    const sid = this.sessionCookie.read(request);
    if (sid !== null) await this.sessions.deleteSessionOfCookie(sid);
    this.sessionCookie.clear(response);
    return { message: { en: 'You have been signed out.', tr: 'Çıkış yaptınız.' }[language] };
  }

  @Get('check-username/:username')
  @Public()
  @ApiJson('Check whether a username is available', AvailabilityDto)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  checkUsername(@Param('username') username: string, @RequestLanguage() language: Language): Promise<AvailabilityDto> {
    return this.usernames.checkAvailability(username, language);
  }

  @Post('complete-profile')
  @NetworkLimit(PROFILE_LIMIT)
  @SignedIn()
  @AllowRestricted()
  @SessionOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Complete an account that was created by joining a zone: names, username, password' })
  @ApiSignInResponse()
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.EMAIL_MISMATCH,
    authErrors.PROFILE_COMPLETE,
    authErrors.USERNAME_TAKEN,
    authErrors.USERNAME_RESERVED,
    authErrors.PASSWORD_UNCHANGED,
    commonErrors.CONFIRMATION_REQUIRED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async completeProfile(
    @Body() dto: CompleteProfileDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    return this.signInResponse.writeSignInResponse(
      response,
      await this.profiles.completeProfile(viewer, dto, getSessionOrigin(request)),
    );
  }
}
