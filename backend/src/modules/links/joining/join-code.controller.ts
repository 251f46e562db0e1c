import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { MINUTE } from '../../../platform/clock/clock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../../auth/auth.errors.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { SignInResponseService } from '../../auth/sign-in/sign-in-response.service.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { JoinCodeDto, toVerificationResponse, VerificationDto } from '../dto/join.dto.js';
import { linkErrors } from '../links.errors.js';
import { VerifyJoinService } from './verify-join.service.js';

/** Limit of codes entered per network. A class that joins together may share one IP address. */
const CODE_LIMIT: RateRule = { name: 'join-code-ip', limit: 120, window: MINUTE };

/** Joins by the code of the verification email. */
@ApiTags('links')
@Controller('api/join-codes')
export class JoinCodeController {
  constructor(
    private readonly joins: VerifyJoinService,
    private readonly signInResponse: SignInResponseService,
  ) {}

  @Post()
  @Public()
  @NetworkLimit(CODE_LIMIT)
  @HttpCode(200)
  @ApiJson('Join with the emailed code, in the window that requested it', VerificationDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.CODE_INVALID, authErrors.TOKEN_INVALID, zoneErrors.ZONE_FULL)
  @ApiErrors(linkErrors.LINK_ALREADY_USED, linkErrors.CONSENT_REQUIRED, commonErrors.TOO_MANY_REQUESTS)
  @ApiErrors(linkErrors.LINK_NOT_FOUND, linkErrors.LINK_EXPIRED, linkErrors.LINK_MAX_USES)
  async join(
    @Body() dto: JoinCodeDto,
    @OptionalViewer() viewer: Viewer | null,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<VerificationDto> {
    const membership = await this.joins.completeByCode(dto, getSessionOrigin(request), viewer);
    if (membership.signIn) this.signInResponse.writeSignInResponse(response, membership.signIn);
    return toVerificationResponse(membership, language);
  }
}
