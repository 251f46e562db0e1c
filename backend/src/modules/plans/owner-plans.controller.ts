import { Body, Controller, Get, Patch, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import {
  AdminOnly,
  RequireReauthentication,
  CurrentViewer,
  SuperAdminOnly,
} from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../platform/http/parsing/id.pipe.js';
import { fieldError } from '../../platform/http/parsing/validation.js';
import type { AppRequest, Viewer } from '../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../auth/sessions/session-cookie.service.js';
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
    return { userId, ...(await this.plans.getOwnerPlan(userId)) };
  }

  @Patch(':id/plan')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiOperation({ summary: 'Grant a plan free of charge, with custom limits for enterprise' })
  @ApiOkResponse({ type: OwnerPlanDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOT_FOUND)
  async grant(
    @IdParam() userId: number,
    @Body() { plan, limits }: GrantPlanDto,
    @CurrentViewer() { userId: actorId }: Viewer,
    @Req() request: AppRequest,
  ): Promise<OwnerPlanDto> {
    if (limits && plan !== 'enterprise') throw fieldError('limits', enterpriseOnlyMessage);
    const { zones = null, people = null, bytes = null, mails = null, invites = null } = limits ?? {};
    const agreed: PlanLimits | null = limits ? { zones, people, bytes, mails, invites } : null;
    await this.plans.grantPlan(userId, plan, agreed, { actorId, ipAddress: getSessionOrigin(request).ipAddress });
    return this.of(userId);
  }
}

const enterpriseOnlyMessage = {
  en: 'Custom limits are only available for the enterprise plan',
  tr: 'Özel sınırlar yalnızca kurumsal planda belirlenebilir',
};
