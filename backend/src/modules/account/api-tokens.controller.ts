import { Body, Controller, Delete, Get, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { RequireReauthentication, CurrentViewer, SessionOnly, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiCreated, ApiNoContent, ApiPaginated } from '../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../platform/http/parsing/id.pipe.js';
import { ListQueryDto, type Page } from '../../platform/http/lists/list.js';
import type { AppRequest, Viewer } from '../../platform/http/parsing/viewer.js';
import { ApiTokenService } from '../auth/tokens/api-token.service.js';
import { authErrors } from '../auth/auth.errors.js';
import { getSessionOrigin } from '../auth/sessions/session-cookie.service.js';
import { ApiTokenDto, CreateApiTokenDto, NewApiTokenDto } from './dto/api-token.dto.js';

@ApiTags('account')
@SignedIn()
@SessionOnly()
@Controller('api/user/tokens')
export class ApiTokensController {
  constructor(private readonly tokens: ApiTokenService) {}

  @Get()
  @ApiPaginated('List your API tokens, newest first', ApiTokenDto)
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  list(@CurrentViewer() { userId }: Viewer, @Query() query: ListQueryDto): Promise<Page<ApiTokenDto>> {
    return this.tokens.listTokens(userId, query);
  }

  @Post()
  @RequireReauthentication()
  @ApiCreated('Create an API token; the token is shown only once', NewApiTokenDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.ADMIN_SCOPE, commonErrors.TOO_MANY_REQUESTS)
  make(
    @Body() dto: CreateApiTokenDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<NewApiTokenDto> {
    return this.tokens.createToken(viewer, dto, getSessionOrigin(request).ipAddress);
  }

  @Delete(':id')
  @ApiNoContent('Delete an API token; it stops working immediately')
  @ApiErrors(authErrors.API_TOKEN_NOT_FOUND)
  revoke(@IdParam() id: number, @CurrentViewer() { userId }: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.tokens.revokeToken(userId, id, getSessionOrigin(request).ipAddress);
  }
}
