import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { FilesModule } from '../files/files.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { DashboardService } from './dashboard/dashboard.service.js';
import {
  DirtyDay,
  OwnerDay,
  OwnerQuarter,
  PlatformDay,
  PlatformQuarter,
  RollUp,
  ZoneDay,
  ZoneQuarter,
} from './entities/roll-ups.entity.js';
import { FileOpeningsController } from './file-openings.controller.js';
import { FileOpeningsService } from './file-openings.service.js';
import { OwnerDaysService } from './owner-days.service.js';
import { GettingStartedService } from './dashboard/getting-started.service.js';
import { PlatformFiguresService } from './dashboard/platform-figures.service.js';
import { RollUpService } from './roll-up/roll-up.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([ZoneDay, OwnerDay, PlatformDay, ZoneQuarter, OwnerQuarter, PlatformQuarter]),
    MikroOrmModule.forFeature([DirtyDay, RollUp]),
    ...[ActivityModule, AuthModule, FilesModule],
  ],
  controllers: [DashboardController, AnalyticsController, FileOpeningsController],
  providers: [
    ...[DashboardService, GettingStartedService, AnalyticsService, OwnerDaysService, FileOpeningsService],
    ...[PlatformFiguresService, RollUpService],
  ],
  exports: [PlatformFiguresService],
})
export class InsightsModule {}
