import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { HOUR } from '../../../../platform/clock/clock.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { Public } from '../../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../../platform/http/errors/api-errors.decorator.js';
import type { RateRule } from '../../../../platform/http/limits/rate-limit.service.js';
import { NetworkLimit } from '../../../../platform/http/networks/network-limit.decorator.js';
import { RequestLanguage } from '../../../../platform/http/parsing/request-language.js';
import type { AppRequest } from '../../../../platform/http/parsing/viewer.js';
import { authErrors, emailChangeErrors } from '../../../auth/auth.errors.js';
import { getSessionOrigin } from '../../../auth/sessions/session-cookie.service.js';
import {
  ApiSignInResponse,
  SignInResponseService,
  type EntryDto,
} from '../../../auth/sign-in/sign-in-response.service.js';
import { adminErrors } from '../../admin.errors.js';
import { SetupDto, SetupStateDto } from './setup.dto.js';
import { SetupService } from './setup.service.js';

/** In addition to ten wrong keys per hour: forms are resubmitted until username and password are accepted. */
const SETUP_LIMIT: RateRule = { name: 'setup-ip', limit: 100, window: HOUR };

/** Creates the first super admin of an installation. */
@ApiTags('admin')
@Controller('api/setup')
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly signInResponse: SignInResponseService,
  ) {}

  @Get()
  @Public()
  @NetworkLimit(SETUP_LIMIT)
  @ApiQuery({ name: 'key', type: String, required: true })
  @ApiJson('Check the setup key printed at startup; changes nothing', SetupStateDto)
  @ApiErrors(adminErrors.SETUP_CLOSED, commonErrors.TOO_MANY_REQUESTS)
  async state(@Query('key') key: unknown, @Req() request: AppRequest): Promise<SetupStateDto> {
    return { state: 'open', following: await this.setup.listFollowingSteps(key, getSessionOrigin(request)) };
  }

  @Post()
  @Public()
  @NetworkLimit(SETUP_LIMIT)
  @ApiOperation({ summary: 'Create the first super admin with the setup key, and sign in' })
  @ApiSignInResponse(201)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    adminErrors.SETUP_CLOSED,
    emailChangeErrors.EMAIL_TAKEN,
    authErrors.USERNAME_TAKEN,
    authErrors.USERNAME_RESERVED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async create(
    @Body() dto: SetupDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EntryDto> {
    return this.signInResponse.writeSignInResponse(
      response,
      await this.setup.createFirstSuperAdmin(dto, language, getSessionOrigin(request)),
    );
  }
}
