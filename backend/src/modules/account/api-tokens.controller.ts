import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SessionOnly, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/list.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { ApiTokenService } from '../auth/api-token.service.js';
import { authErrors } from '../auth/auth.errors.js';
import { originOf } from '../auth/session-cookie.service.js';
import { ApiTokenDto, CreateApiTokenDto, NewApiTokenDto } from './dto/api-token.dto.js';

@ApiTags('account')
@Controller('api/user/tokens')
export class ApiTokensController {
  constructor(private readonly tokens: ApiTokenService) {}

  @Get()
  @SignedIn()
  @SessionOnly()
  @ApiList()
  @ApiOperation({ summary: 'Your API tokens, the newest first' })
  @ApiOkResponse({ type: [ApiTokenDto] })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  async list(
    @CurrentViewer() { userId }: Viewer,
    @Query() query: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApiTokenDto[]> {
    return sendPage(response, await this.tokens.list(userId, query));
  }

  @Post()
  @SignedIn()
  @SessionOnly()
  @ApiOperation({ summary: 'Make an API token; the secret is shown this once' })
  @ApiCreatedResponse({ type: NewApiTokenDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.ADMIN_SCOPE, commonErrors.TOO_MANY_REQUESTS)
  make(
    @Body() dto: CreateApiTokenDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<NewApiTokenDto> {
    return this.tokens.make(viewer, dto, originOf(request).ipAddress);
  }

  @Delete(':id')
  @SignedIn()
  @SessionOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete an API token; it is refused from now on' })
  @ApiNoContentResponse()
  @ApiErrors(authErrors.API_TOKEN_NOT_FOUND)
  revoke(@IdParam() id: number, @CurrentViewer() { userId }: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.tokens.revoke(userId, id, originOf(request).ipAddress);
  }
}
