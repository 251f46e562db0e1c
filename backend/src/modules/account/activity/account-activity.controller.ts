import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentViewer, SessionOnly, SignedIn } from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { AccountActivityDto } from './account-activity.dto.js';
import { AccountActivity } from './account-activity.service.js';

@ApiTags('account')
@Controller('api/user/security-activity')
export class AccountActivityController {
  constructor(private readonly activity: AccountActivity) {}

  @Get()
  @SignedIn()
  @SessionOnly()
  @Answers('List the last twenty security events of your account', [AccountActivityDto])
  last(@CurrentViewer() { userId }: Viewer): Promise<AccountActivityDto[]> {
    return this.activity.last(userId);
  }
}
