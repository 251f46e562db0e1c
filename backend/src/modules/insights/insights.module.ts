import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { FilesModule } from '../files/files.module.js';
import { ZonesModule } from '../zones/zones.module.js';
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
import { FilePageDay, FileReader, FileReadingDay, PageRead, ReaderBatches } from './entities/reading.entity.js';
import { FileOpeningsController } from './file-openings.controller.js';
import { FileOpeningRepository } from './file-opening.repository.js';
import { LinkFunnelController } from './link-funnel.controller.js';
import { LinkFunnelRepository } from './link-funnel.repository.js';
import { AttentionRepository } from './dashboard/attention.repository.js';
import { OwnerDaysService } from './owner-days.service.js';
import { OwnerStatisticsRepository } from './owner-statistics.repository.js';
import { PlatformFiguresRepository } from './dashboard/platform-figures.repository.js';
import { FileFiguresRepository } from './reading/file-figures.repository.js';
import { ReadingController } from './reading/reading.controller.js';
import { ReadingFiguresRepository } from './reading/reading-figures.repository.js';
import { ReadingRepository } from './reading/reading.repository.js';
import { ReadingRollUpService } from './reading/reading-roll-up.service.js';
import { ReadingService } from './reading/reading.service.js';
import { RollUpRepository } from './roll-up/roll-up.repository.js';
import { OnboardingRepository } from './dashboard/onboarding.repository.js';
import { PlatformFiguresService } from './dashboard/platform-figures.service.js';
import { RollUpService } from './roll-up/roll-up.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([ZoneDay, OwnerDay, PlatformDay, ZoneQuarter, OwnerQuarter, PlatformQuarter]),
    MikroOrmModule.forFeature([DirtyDay, RollUp]),
    MikroOrmModule.forFeature([PageRead, FileReader, ReaderBatches, FileReadingDay, FilePageDay]),
    ActivityModule,
    AuthModule,
    FilesModule,
    ZonesModule,
  ],
  controllers: [
    DashboardController,
    AnalyticsController,
    FileOpeningsController,
    LinkFunnelController,
    ReadingController,
  ],
  providers: [
    AnalyticsService,
    AttentionRepository,
    DashboardService,
    FileFiguresRepository,
    FileOpeningRepository,
    LinkFunnelRepository,
    OnboardingRepository,
    OwnerDaysService,
    OwnerStatisticsRepository,
    PlatformFiguresRepository,
    PlatformFiguresService,
    ReadingFiguresRepository,
    ReadingRepository,
    ReadingRollUpService,
    ReadingService,
    RollUpRepository,
    RollUpService,
  ],
  exports: [PlatformFiguresService],
})
export class InsightsModule {}
