import { Body, Controller, Get, Patch, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AdminOnly, Confirmed, CurrentViewer, SuperAdminOnly } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../platform/http/reading/id.pipe.js';
import { fieldError } from '../../platform/http/reading/validation.js';
import type { AppRequest, Viewer } from '../../platform/http/reading/viewer.js';
import { originOf } from '../auth/sessions/session-cookie.service.js';
import { GrantPlanDto, OwnerPlanDto } from './dto/plan.dto.js';
import type { PlanLimits } from './plan-catalogue.js';
import { PlanService } from './plan.service.js';

@ApiTags('admin')
@Controller('api/admin/users')
export class OwnerPlansController {
  constructor(private readonly plans: PlanService) {}

  @Get(':id/plan')
  @AdminOnly()
  @ApiOperation({ summary: 'Get the plan of a user and where it comes from' })
  @ApiOkResponse({ type: OwnerPlanDto })
  @ApiErrors(commonErrors.NOT_FOUND)
  async of(@IdParam() userId: number): Promise<OwnerPlanDto> {
    return { userId, ...(await this.plans.find(userId)) };
  }

  @Patch(':id/plan')
  @SuperAdminOnly()
  @Confirmed()
  @ApiOperation({ summary: 'Grant a plan free of charge, with custom limits for enterprise' })
  @ApiOkResponse({ type: OwnerPlanDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOT_FOUND)
  async grant(
    @IdParam() userId: number,
    @Body() { plan, limits }: GrantPlanDto,
    @CurrentViewer() { userId: actorId }: Viewer,
    @Req() request: AppRequest,
  ): Promise<OwnerPlanDto> {
    if (limits && plan !== 'enterprise') throw fieldError('limits', onlyEnterprise);
    const { zones = null, people = null, bytes = null, mails = null, invites = null } = limits ?? {};
    const agreed: PlanLimits | null = limits ? { zones, people, bytes, mails, invites } : null;
    await this.plans.grant(userId, plan, agreed, { actorId, ipAddress: originOf(request).ipAddress });
    return this.of(userId);
  }
}

const onlyEnterprise = {
  en: 'Custom limits are only available for the enterprise plan',
  tr: 'Özel sınırlar yalnızca kurumsal planda belirlenebilir',
};
