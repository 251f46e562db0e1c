import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentViewer, SessionOnly } from '../../../platform/http/access.decorator.js';
import { EventStreamsService } from '../../../platform/http/event-streams/event-streams.service.js';
import { ThumbnailRate } from '../../../platform/http/limits/thumbnail-rate.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../../auth/auth.errors.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { AccessWatchService } from './access-watch.service.js';

@ApiTags('files')
@Controller('api/files')
export class WatchController {
  constructor(
    private readonly streams: EventStreamsService,
    private readonly accessWatch: AccessWatchService,
  ) {}

  // Uses the higher rate limit: a class behind one IP address that reconnects after a restart must not exhaust the
  // normal one.
  @Get(':id/watch')
  @FileAccess('read')
  @SessionOnly()
  @ThumbnailRate()
  @ApiProduces('text/event-stream')
  @ApiOperation({
    summary:
      'Server-sent events while a file is open: `gone` within a second after the viewer loses access; `replaced` when the session has opened ten more',
  })
  @ApiOkResponse({ schema: { type: 'string' } })
  follow(
    @CurrentFile() { id: fileId }: AccessibleFile,
    @CurrentViewer() { userId, sessionId }: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    if (sessionId === null) throw authErrors.SESSION_REQUIRED();
    let leave = (): void => undefined;
    const stream = this.streams.openStream(request, response, () => leave());
    if (stream) leave = this.accessWatch.addWatcher({ fileId, userId, sessionId }, stream);
  }
}
