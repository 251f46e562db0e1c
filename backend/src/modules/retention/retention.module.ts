import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { RetentionService } from './retention.service.js';
import { RemovalMetrics } from './removal-metrics.js';
import { Removal } from './removal.entity.js';
import { RemovalRepository } from './removal.repository.js';

/** Data retention: accesses tables of all modules; no module depends on it. */
@Module({
  imports: [MikroOrmModule.forFeature([Removal])],
  providers: [RetentionService, RemovalMetrics, RemovalRepository],
})
export class RetentionModule {}
