import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { RetentionService } from './retention.service.js';
import { RemovalMetrics } from './removal-metrics.js';
import { Removal } from './removal.entity.js';

/** What is kept, and for how long: knows tables of all modules, and is known by none. */
@Module({
  imports: [MikroOrmModule.forFeature([Removal])],
  providers: [RetentionService, RemovalMetrics],
})
export class RetentionModule {}
