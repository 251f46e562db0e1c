import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { CurrentUserService } from './current-user.service.js';
import { CurrentSessionDto } from './dto/current-session.dto.js';

@ApiTags('account')
@Controller('api/session')
export class CurrentSessionController {
  constructor(private readonly currentUser: CurrentUserService) {}

  @Get()
  @Public()
  @ApiOperation({ summary: 'Who is signed in, if anybody: for pages that are shown to both' })
  @ApiOkResponse({ type: CurrentSessionDto })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  async session(@OptionalViewer() viewer: Viewer | null): Promise<CurrentSessionDto> {
    return { user: viewer && (await this.currentUser.of(viewer)) };
  }
}
