import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentViewer, SessionOnly, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { AccountActivityDto } from './account-activity.dto.js';
import { AccountActivityRepository } from './account-activity.repository.js';

@ApiTags('account')
@Controller('api/user/security-activity')
export class AccountActivityController {
  constructor(private readonly accountActivity: AccountActivityRepository) {}

  @Get()
  @SignedIn()
  @SessionOnly()
  @ApiJson('List the last twenty security events of your account', [AccountActivityDto])
  last(@CurrentViewer() { userId }: Viewer): Promise<AccountActivityDto[]> {
    return this.accountActivity.findRecentEvents(userId);
  }
}
