import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DefaultPlan } from './default/default-plan.entity.js';
import { DefaultPlanService } from './default/default-plan.service.js';
import { OwnerPlan } from './owner-plan.entity.js';
import { OwnerPlansController } from './owner-plans.controller.js';
import { PlanRepository } from './plan.repository.js';
import { PlanService } from './plan.service.js';
import { PlansController } from './plans.controller.js';
import { Usage, UsageWarning } from './usage.entity.js';
import { UsageReportService } from './usage-report.service.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';
import { LimitWarningService } from './warnings/limit-warning.service.js';

@Module({
  imports: [MikroOrmModule.forFeature([Usage, OwnerPlan, DefaultPlan, UsageWarning]), AuthModule],
  controllers: [PlansController, OwnerPlansController],
  providers: [
    DefaultPlanService,
    LimitWarningService,
    PlanRepository,
    PlanService,
    UsageReportService,
    UsageRepository,
    UsageService,
  ],
  exports: [DefaultPlanService, PlanService, UsageReportService, UsageRepository, UsageService],
})
export class PlansModule {}
