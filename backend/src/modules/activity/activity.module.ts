import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ActivityRepository } from './activity.repository.js';
import { ActivityService } from './activity.service.js';
import { Activity } from './entities/activity.entity.js';
import { FileOpening } from './entities/file-opening.entity.js';
import { FileStats } from './entities/file-stats.entity.js';
import { Viewing } from './entities/viewing.entity.js';
import { ActivityPartitionService } from './activity-partition.service.js';

@Module({
  imports: [MikroOrmModule.forFeature([Activity, Viewing, FileStats, FileOpening]), AuthModule],
  providers: [ActivityRepository, ActivityService, ActivityPartitionService],
  exports: [ActivityRepository, ActivityService],
})
export class ActivityModule {}
