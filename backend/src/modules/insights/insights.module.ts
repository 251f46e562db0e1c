import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { FilesModule } from '../files/files.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { AttentionService } from './attention.service.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardService } from './dashboard.service.js';
import { DirtyDay } from './entities/dirty-day.entity.js';
import { OwnerDay } from './entities/owner-day.entity.js';
import { PlatformDay } from './entities/platform-day.entity.js';
import { RollUp } from './entities/roll-up.entity.js';
import { ZoneDay } from './entities/zone-day.entity.js';
import { FileOpeningsController } from './file-openings.controller.js';
import { FileOpeningsService } from './file-openings.service.js';
import { OwnerDaysService } from './owner-days.service.js';
import { PlatformFiguresService } from './platform-figures.service.js';
import { RollUpHandler } from './roll-up.handler.js';
import { RollUpService } from './roll-up.service.js';

@Module({
  imports: [MikroOrmModule.forFeature([ZoneDay, OwnerDay, PlatformDay, DirtyDay, RollUp]), ActivityModule, FilesModule],
  controllers: [DashboardController, AnalyticsController, FileOpeningsController],
  providers: [
    ...[DashboardService, AttentionService, AnalyticsService, OwnerDaysService, FileOpeningsService],
    ...[PlatformFiguresService, RollUpService, RollUpHandler],
  ],
  exports: [PlatformFiguresService],
})
export class InsightsModule {}
