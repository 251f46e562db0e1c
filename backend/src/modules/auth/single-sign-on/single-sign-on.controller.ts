import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AppConfig } from '../../../platform/config/app-config.js';
import { AppError, type Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Public } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { requestLanguageOf, RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { authErrors, singleSignOnErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/responses.dto.js';
import { getSessionOrigin, SessionCookieService } from '../sessions/session-cookie.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import {
  ApiSignInResponse,
  SignInResponseService,
  mfaRedirectPath,
  type EntryDto,
} from '../sign-in/sign-in-response.service.js';
import { isSessionCreated } from '../sign-in/session-issuer.service.js';
import { BeginSignInDto, BegunSignInDto, ConfirmLinkDto, PendingLinkDto } from './dto/single-sign-on.dto.js';
import { IdentityLinkingService, type SsoVisitor } from './identity-linking.service.js';
import { toAbsoluteUrl } from '../shared/next-path.js';
import { SsoCookie } from '../shared/browser-cookies.js';
import { SingleSignOnService, SSO_LIMIT } from './single-sign-on.service.js';

@ApiTags('auth')
@Controller('api/single-sign-on')
export class SingleSignOnController {
  constructor(
    private readonly singleSignOn: SingleSignOnService,
    private readonly identityLinking: IdentityLinkingService,
    private readonly sessionCookie: SessionCookieService,
    private readonly signInResponse: SignInResponseService,
    private readonly ssoCookie: SsoCookie,
    private readonly authFailures: AuthFailureService,
    private readonly config: AppConfig,
  ) {}

  @Post()
  @Public()
  @NetworkLimit(SSO_LIMIT)
  @ApiJson('Start single sign-on; returns the URL of the identity provider', BegunSignInDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    singleSignOnErrors.SSO_OFF,
    singleSignOnErrors.SSO_UNAVAILABLE,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async begin(
    @Body() { next }: BeginSignInDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BegunSignInDto> {
    const { url, id } = await this.singleSignOn.beginSignIn(next ?? null);
    this.ssoCookie.write(response, id);
    return { url };
  }

  /** OpenID Connect requires a GET. It does nothing without the cookie of the browser that started the sign-in. */
  @Get('callback')
  @Public()
  @ApiOperation({
    summary: 'Callback for the identity provider; redirects to the page, with an error code if sign-in failed',
  })
  @ApiFoundResponse({
    description: 'Redirects to the page after sign-in, or to /auth with an error code, `sso=link` or `step=factor`',
  })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  async callback(@Req() request: AppRequest, @Res() response: Response): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(302, await this.completeCallback(request, response));
  }

  @Get('link')
  @Public()
  @ApiJson('The account to be connected to an identity in this browser', PendingLinkDto)
  @ApiErrors(singleSignOnErrors.SSO_LINK_EXPIRED, authErrors.ACCOUNT_DEACTIVATED, singleSignOnErrors.SSO_OFF)
  async pending(@Req() request: AppRequest): Promise<PendingLinkDto> {
    const provider = this.getProviderName();
    return { ...(await this.identityLinking.getPendingLink(this.ssoCookie.read(request))), provider };
  }

  @Post('link/code')
  @Public()
  @NetworkLimit(SSO_LIMIT)
  @ApiJson('Send the owner of that account a 6-digit code', MessageDto)
  @ApiErrors(
    singleSignOnErrors.SSO_LINK_EXPIRED,
    authErrors.ACCOUNT_DEACTIVATED,
    singleSignOnErrors.SSO_OFF,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async sendCode(@Req() request: AppRequest, @RequestLanguage() language: Language): Promise<MessageDto> {
    this.getProviderName();
    await this.identityLinking.requestLinkingCode(this.ssoCookie.read(request));
    return {
      message: {
        en: "We've sent a 6-digit code to this account's email address.",
        tr: 'Bu hesabın e-posta adresine 6 haneli bir kod gönderdik.',
      }[language],
    };
  }

  @Post('link')
  @Public()
  @NetworkLimit(SSO_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Connect the identity to the account with its password or the code, and sign in' })
  @ApiSignInResponse()
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    singleSignOnErrors.SSO_LINK_EXPIRED,
    singleSignOnErrors.SSO_LINKED_ELSEWHERE,
    singleSignOnErrors.SSO_OFF,
    authErrors.WRONG_PASSWORD,
    authErrors.CODE_INVALID,
    authErrors.ACCOUNT_DEACTIVATED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async link(
    @Body() { password, code }: ConfirmLinkDto,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    this.getProviderName();
    const proof = code !== undefined ? { code } : { password: password! };
    const id = this.ssoCookie.read(request);
    const signIn = await this.identityLinking.confirmLink(id, proof, this.getVisitor(request));
    this.ssoCookie.clear(response);
    return this.signInResponse.writeSignInResponse(response, signIn);
  }

  /** Returns the URL to redirect to. Errors are shown on that page, because users can't read JSON. */
  private async completeCallback(request: AppRequest, response: Response): Promise<string> {
    const id = this.ssoCookie.read(request);
    const search = new URL(request.originalUrl, this.config.appUrl).search;
    try {
      const { entry, linkId, next } = await this.singleSignOn.completeSignIn(id, search, this.getVisitor(request));
      if (linkId === null) {
        this.ssoCookie.clear(response);
        this.signInResponse.writeSignInResponse(response, entry);
        return toAbsoluteUrl(this.config.appUrl, isSessionCreated(entry) ? (next ?? '/') : mfaRedirectPath(next));
      }
      this.ssoCookie.write(response, linkId);
      return this.createAuthPageUrl('link', next);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.authFailures.recordSignInFailure(error, null, getSessionOrigin(request).ipAddress);
      return this.createAuthPageUrl(error.code, null);
    }
  }

  private createAuthPageUrl(sso: string, next: string | null): string {
    return `${this.config.appUrl}/auth?${new URLSearchParams({ sso, ...(next && { next }) }).toString()}`;
  }

  private getVisitor(request: AppRequest): SsoVisitor {
    const previousSid = this.sessionCookie.read(request);
    return { language: requestLanguageOf(request), origin: getSessionOrigin(request), previousSid };
  }

  /** @throws SSO_OFF */
  private getProviderName(): string {
    const settings = this.config.singleSignOn;
    if (!settings) throw singleSignOnErrors.SSO_OFF();
    return settings.name;
  }
}
