import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OwnerPlan } from './owner-plan.entity.js';
import { OwnerPlansController } from './owner-plans.controller.js';
import { PlanService } from './plan.service.js';
import { PlansController } from './plans.controller.js';
import { PlansPersonalData } from './plans-personal-data.js';
import { TellOfLimitHandler } from './tell-of-limit.handler.js';
import { Usage } from './usage.entity.js';
import { UsageReportService } from './usage-report.service.js';
import { UsageService } from './usage.service.js';
import { UsageWarning } from './usage-warning.entity.js';
import { WarnOfLimitsHandler } from './warn-of-limits.handler.js';

@Module({
  imports: [MikroOrmModule.forFeature([Usage, OwnerPlan, UsageWarning]), AuthModule],
  controllers: [PlansController, OwnerPlansController],
  providers: [
    PlanService,
    PlansPersonalData,
    TellOfLimitHandler,
    UsageReportService,
    UsageService,
    WarnOfLimitsHandler,
  ],
  exports: [PlanService, UsageReportService, UsageService],
})
export class PlansModule {}
