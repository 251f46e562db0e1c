import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ActivityService } from './activity.service.js';
import { Activity } from './entities/activity.entity.js';
import { FileOpening } from './entities/file-opening.entity.js';
import { FileStats } from './entities/file-stats.entity.js';
import { Viewing } from './entities/viewing.entity.js';
import { ActivityPartitions } from './activity-partitions.js';

@Module({
  imports: [MikroOrmModule.forFeature([Activity, Viewing, FileStats, FileOpening]), AuthModule],
  providers: [ActivityService, ActivityPartitions],
  exports: [ActivityService],
})
export class ActivityModule {}
