import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../platform/config/app-config.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, Public, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { PlanDto, UsageDto } from './dto/plan.dto.js';
import { planList } from './plan-list.js';
import { UsageReportService } from './usage-report.service.js';

@ApiTags('plans')
@Controller('api')
export class PlansController {
  constructor(
    private readonly config: AppConfig,
    private readonly usage: UsageReportService,
  ) {}

  @Get('plans')
  @Public()
  @ApiOperation({ summary: 'The plans: prices, limits, and what can be bought here' })
  @ApiOkResponse({ type: [PlanDto] })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  plans(): PlanDto[] {
    return planList(this.config);
  }

  @Get('user/usage')
  @SignedIn()
  @ApiOperation({ summary: 'What you use of your plan' })
  @ApiOkResponse({ type: [UsageDto] })
  used(@CurrentViewer() { userId }: Viewer): Promise<UsageDto[]> {
    return this.usage.of(userId);
  }
}
