import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Public } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { TrackingService, type Visitor } from './tracking.service.js';

/** Transparent 1×1 GIF. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** URLs in emails. Requests only record events and grant no access. */
@ApiTags('campaigns')
@SkipThrottle()
@Controller('api/t')
export class TrackingController {
  constructor(private readonly tracking: TrackingService) {}

  @Get('o/:token')
  @Public()
  @ApiProduces('image/gif')
  @ApiOperation({ summary: 'Tracking pixel of a campaign email, which records an open' })
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(commonErrors.NOT_FOUND)
  async open(@Param('token') token: string, @Req() request: AppRequest, @Res() response: Response): Promise<void> {
    if (!(await this.tracking.recordOpen(token, toVisitor(request)))) throw commonErrors.NOT_FOUND();
    response.type('gif').setHeader('Cross-Origin-Resource-Policy', 'cross-origin').send(PIXEL);
  }

  @Get('c/:token')
  @Public()
  @ApiOperation({ summary: 'Tracked link of a campaign email; redirects to its target' })
  @ApiFoundResponse({ description: "The link's target" })
  @ApiErrors(commonErrors.NOT_FOUND)
  async click(@Param('token') token: string, @Req() request: AppRequest, @Res() response: Response): Promise<void> {
    const url = await this.tracking.recordClick(token, toVisitor(request));
    if (url === null) throw commonErrors.NOT_FOUND();
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.redirect(302, url);
  }
}

function toVisitor(request: AppRequest): Visitor {
  const { ipAddress } = getSessionOrigin(request);
  return { method: request.method, userAgent: request.headers['user-agent'] ?? '', ipAddress };
}
