import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardService } from './dashboard.service.js';
import { DirtyDay } from './entities/dirty-day.entity.js';
import { OwnerDay } from './entities/owner-day.entity.js';
import { PlatformDay } from './entities/platform-day.entity.js';
import { RollUp } from './entities/roll-up.entity.js';
import { ZoneDay } from './entities/zone-day.entity.js';
import { PlatformFiguresService } from './platform-figures.service.js';
import { RollUpHandler } from './roll-up.handler.js';
import { RollUpService } from './roll-up.service.js';

@Module({
  imports: [MikroOrmModule.forFeature([ZoneDay, OwnerDay, PlatformDay, DirtyDay, RollUp]), ActivityModule],
  controllers: [DashboardController],
  providers: [DashboardService, PlatformFiguresService, RollUpService, RollUpHandler],
  exports: [PlatformFiguresService],
})
export class InsightsModule {}
