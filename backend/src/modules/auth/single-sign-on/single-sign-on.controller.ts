import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AppConfig } from '../../../platform/config/app-config.js';
import { AppError, type Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Public } from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { languageOf, RequestLanguage } from '../../../platform/http/reading/language.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { AppRequest } from '../../../platform/http/reading/viewer.js';
import { authErrors, singleSignOnErrors } from '../auth.errors.js';
import { MessageDto } from '../dto/answers.dto.js';
import { originOf, SessionCookie } from '../sessions/session-cookie.service.js';
import { SignInFailures } from '../trail/sign-in-failures.service.js';
import { ApiEntryResponse, EntryAnswer, factorPage, type EntryDto } from '../sign-in/entry-answer.service.js';
import { isOpened } from '../sign-in/session-opener.service.js';
import { BeginSignInDto, BegunSignInDto, ConfirmLinkDto, PendingLinkDto } from './dto/single-sign-on.dto.js';
import { IdentityLinking, type Visitor } from './identity-linking.service.js';
import { addressOf } from '../shared/next-path.js';
import { SignInCookie } from '../shared/browser-cookies.js';
import { SingleSignOn, SSO_LIMIT } from './single-sign-on.service.js';

@ApiTags('auth')
@Controller('api/single-sign-on')
export class SingleSignOnController {
  constructor(
    private readonly signOn: SingleSignOn,
    private readonly linking: IdentityLinking,
    private readonly sessionCookie: SessionCookie,
    private readonly answer: EntryAnswer,
    private readonly signInCookie: SignInCookie,
    private readonly failures: SignInFailures,
    private readonly config: AppConfig,
  ) {}

  @Post()
  @Public()
  @NetworkLimit(SSO_LIMIT)
  @Answers('Start single sign-on; returns the URL of the identity provider', BegunSignInDto)
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
    const { url, id } = await this.signOn.begin(next ?? null);
    this.signInCookie.write(response, id);
    return { url };
  }

  /** A GET because the protocol makes it one; it does nothing without the cookie of the browser that began. */
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
    response.redirect(302, await this.arrive(request, response));
  }

  @Get('link')
  @Public()
  @Answers('The account to be connected to an identity in this browser', PendingLinkDto)
  @ApiErrors(singleSignOnErrors.SSO_LINK_EXPIRED, authErrors.ACCOUNT_DEACTIVATED, singleSignOnErrors.SSO_OFF)
  async pending(@Req() request: AppRequest): Promise<PendingLinkDto> {
    const provider = this.providerName();
    return { ...(await this.linking.look(this.signInCookie.read(request))), provider };
  }

  @Post('link/code')
  @Public()
  @NetworkLimit(SSO_LIMIT)
  @Answers('Send the owner of that account a 6-digit code', MessageDto)
  @ApiErrors(
    singleSignOnErrors.SSO_LINK_EXPIRED,
    authErrors.ACCOUNT_DEACTIVATED,
    singleSignOnErrors.SSO_OFF,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async sendCode(@Req() request: AppRequest, @RequestLanguage() language: Language): Promise<MessageDto> {
    this.providerName();
    await this.linking.sendCode(this.signInCookie.read(request));
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
  @ApiEntryResponse()
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
    this.providerName();
    const proof = code !== undefined ? { code } : { password: password! };
    const id = this.signInCookie.read(request);
    const entry = await this.linking.confirm(id, proof, this.visitor(request));
    this.signInCookie.clear(response);
    return this.answer.send(response, entry);
  }

  /** The address to lead the browser to. What went wrong is said there: nobody wants to read JSON. */
  private async arrive(request: AppRequest, response: Response): Promise<string> {
    const id = this.signInCookie.read(request);
    const search = new URL(request.originalUrl, this.config.appUrl).search;
    try {
      const { entry, linkId, next } = await this.signOn.finish(id, search, this.visitor(request));
      if (linkId === null) {
        this.signInCookie.clear(response);
        this.answer.send(response, entry);
        return addressOf(this.config.appUrl, isOpened(entry) ? (next ?? '/') : factorPage(next));
      }
      this.signInCookie.write(response, linkId);
      return this.authPage('link', next);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.failures.note(error, null, originOf(request).ipAddress);
      return this.authPage(error.code, null);
    }
  }

  private authPage(sso: string, next: string | null): string {
    return `${this.config.appUrl}/auth?${new URLSearchParams({ sso, ...(next && { next }) }).toString()}`;
  }

  private visitor(request: AppRequest): Visitor {
    const previousSid = this.sessionCookie.read(request);
    return { language: languageOf(request), origin: originOf(request), previousSid };
  }

  /** @throws SSO_OFF */
  private providerName(): string {
    const settings = this.config.singleSignOn;
    if (!settings) throw singleSignOnErrors.SSO_OFF();
    return settings.name;
  }
}
