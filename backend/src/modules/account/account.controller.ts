import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AllowRestricted, CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { CurrentUserDto } from './dto/current-user.dto.js';
import { CurrentUserService } from './current-user.service.js';

@ApiTags('account')
@Controller('api')
export class AccountController {
  constructor(private readonly currentUser: CurrentUserService) {}

  @Get('user')
  @SignedIn()
  @AllowRestricted()
  @ApiOperation({ summary: 'Who is signed in' })
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  user(@CurrentViewer() viewer: Viewer): Promise<CurrentUserDto> {
    return this.currentUser.of(viewer);
  }
}
