import { Body, Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AllowRestricted, CurrentViewer, Public, SessionOnly, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/language.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import type { Language } from '../../platform/errors/app-error.js';
import { authErrors } from './auth.errors.js';
import { AvailabilityDto, MessageDto } from './dto/answers.dto.js';
import { CompleteProfileDto } from './dto/complete-profile.dto.js';
import { LoginDto } from './dto/login.dto.js';
import { RegisterDto, SendVerificationDto } from './dto/register.dto.js';
import { signedInUser, SignedInUserDto } from './dto/signed-in-user.dto.js';
import { LocalAuthGuard } from './local-auth.guard.js';
import { ProfileCompletionService } from './profile-completion.service.js';
import { RegistrationService } from './registration.service.js';
import { SessionCookie, originOf } from './session-cookie.service.js';
import { SessionService } from './session.service.js';
import { SignInService, type ProvenPerson } from './sign-in.service.js';
import { UsernameService } from './username.service.js';

@ApiTags('auth')
@Controller('api')
export class AuthController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly signIns: SignInService,
    private readonly profiles: ProfileCompletionService,
    private readonly sessions: SessionService,
    private readonly usernames: UsernameService,
    private readonly cookie: SessionCookie,
  ) {}

  @Post('send-verification')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Send a 6-digit code to an address that wants to register' })
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  async sendVerification(
    @Body() { email }: SendVerificationDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.registration.sendCode(email, language, originOf(request));
    return {
      message: {
        en: 'Please check your email for the 6-digit verification code.',
        tr: '6 haneli doğrulama kodu için lütfen e-postanıza bakın.',
      }[language],
    };
  }

  @Post('register')
  @Public()
  @ApiOperation({ summary: 'Create an account with the code, and sign in' })
  @ApiCreatedResponse({ type: SignedInUserDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.CODE_INVALID, authErrors.USERNAME_TAKEN)
  async register(
    @Body() dto: RegisterDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInUserDto> {
    const { user, sid } = await this.registration.register(dto, language, originOf(request));
    this.cookie.write(response, sid);
    return signedInUser(user);
  }

  @Post('login')
  @Public()
  @UseGuards(LocalAuthGuard)
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with address and password' })
  @ApiBody({ type: LoginDto })
  @ApiOkResponse({ type: SignedInUserDto })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.INVALID_CREDENTIALS,
    authErrors.ACCOUNT_DEACTIVATED,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async login(
    @Req() request: AppRequest,
    @RequestLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInUserDto> {
    const { user, restricted, sid } = await this.signIns.signIn(
      request.user as ProvenPerson,
      language,
      originOf(request),
      this.cookie.read(request),
    );
    this.cookie.write(response, sid);
    return signedInUser(user, restricted);
  }

  @Post('logout')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'End this session' })
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(commonErrors.CROSS_SITE)
  async logout(
    @Req() request: AppRequest,
    @RequestLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MessageDto> {
    const sid = this.cookie.read(request);
    if (sid !== null) await this.sessions.close(sid);
    this.cookie.clear(response);
    return { message: { en: 'You have been signed out.', tr: 'Çıkış yaptınız.' }[language] };
  }

  @Get('check-username/:username')
  @Public()
  @ApiOperation({ summary: 'Is this user name free?' })
  @ApiOkResponse({ type: AvailabilityDto })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  checkUsername(@Param('username') username: string, @RequestLanguage() language: Language): Promise<AvailabilityDto> {
    return this.usernames.check(username, language);
  }

  @Post('complete-profile')
  @SignedIn()
  @AllowRestricted()
  @SessionOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Finish an account made by joining: names, user name, password' })
  @ApiOkResponse({ type: SignedInUserDto })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    authErrors.EMAIL_MISMATCH,
    authErrors.PROFILE_COMPLETE,
    authErrors.USERNAME_TAKEN,
    authErrors.PASSWORD_UNCHANGED,
  )
  async completeProfile(
    @Body() dto: CompleteProfileDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInUserDto> {
    const { user, sid } = await this.profiles.complete(viewer, dto, originOf(request));
    this.cookie.write(response, sid);
    return signedInUser(user);
  }
}
