import { Controller, Delete, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  AllowIncompleteProfile,
  CurrentViewer,
  SessionOnly,
  SignedIn,
  OptionalViewer,
  Public,
} from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../../auth/auth.errors.js';
import { getSessionOrigin, SessionCookieService } from '../../auth/sessions/session-cookie.service.js';
import { SessionService } from '../../auth/sessions/session.service.js';
import { SessionDto } from '../dto/session.dto.js';
import { SessionTerminationService } from './session-termination.service.js';
import { CurrentUserService } from '../current-user.service.js';
import { CurrentSessionDto } from '../dto/current-user.dto.js';

@ApiTags('account')
@AllowIncompleteProfile()
@SignedIn()
@SessionOnly()
@Controller('api/user/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionService,
    private readonly sessionTermination: SessionTerminationService,
    private readonly sessionCookie: SessionCookieService,
  ) {}

  @Get()
  @ApiPaginated('List your sessions, last used first', SessionDto)
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  async list(@CurrentViewer() viewer: Viewer, @Query() query: ListQueryDto): Promise<Page<SessionDto>> {
    const page = await this.sessions.listSessions(viewer, query);
    return { ...page, items: page.items.map((session) => ({ ...session, current: session.id === viewer.sessionId })) };
  }

  @Delete()
  @ApiNoContent('Sign out of all other sessions')
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  endOthers(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.sessionTermination.endOtherSessions(viewer, getSessionOrigin(request).ipAddress);
  }

  @Delete(':id')
  @ApiNoContent('Sign out of one session')
  @ApiErrors(authErrors.SESSION_NOT_FOUND)
  async endOne(
    @IdParam() id: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessionTermination.endSession(viewer, id, getSessionOrigin(request).ipAddress);
    if (id === viewer.sessionId) this.sessionCookie.clear(response);
  }
}

@ApiTags('account')
@Controller('api/session')
export class CurrentSessionController {
  constructor(private readonly currentUser: CurrentUserService) {}

  @Get()
  @Public()
  @ApiJson('Get the signed-in user, if any', CurrentSessionDto)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  async session(@OptionalViewer() viewer: Viewer | null): Promise<CurrentSessionDto> {
    return { user: viewer && (await this.currentUser.getCurrentUser(viewer)) };
  }
}
