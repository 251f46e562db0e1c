import { Controller, Delete, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SessionOnly, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/list.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { authErrors } from '../auth/auth.errors.js';
import { originOf, SessionCookie } from '../auth/session-cookie.service.js';
import { SessionService } from '../auth/session.service.js';
import { SessionDto } from './dto/session.dto.js';
import { SessionEndingService } from './session-ending.service.js';

@ApiTags('account')
@Controller('api/user/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionService,
    private readonly endings: SessionEndingService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  @SignedIn()
  @SessionOnly()
  @ApiList()
  @ApiOperation({ summary: 'Where you are signed in, the device used last first' })
  @ApiOkResponse({ type: [SessionDto] })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  async list(
    @CurrentViewer() { userId, sessionId }: Viewer,
    @Query() query: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionDto[]> {
    const page = await this.sessions.list(userId, query);
    const items = page.items.map((session) => ({ ...session, current: session.id === sessionId }));
    return sendPage(response, { ...page, items });
  }

  @Delete()
  @SignedIn()
  @SessionOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Sign out everywhere but here' })
  @ApiNoContentResponse()
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  endOthers(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.endings.endOthers(viewer, originOf(request).ipAddress);
  }

  @Delete(':id')
  @SignedIn()
  @SessionOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Sign out on one device' })
  @ApiNoContentResponse()
  @ApiErrors(authErrors.SESSION_NOT_FOUND)
  async endOne(
    @IdParam() id: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.endings.endOne(viewer, id, originOf(request).ipAddress);
    if (id === viewer.sessionId) this.cookie.clear(response);
  }
}
