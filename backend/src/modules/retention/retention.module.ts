import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AgedRemover } from './aged-remover.service.js';
import { RemovalMetrics } from './removal-metrics.js';
import { Removal } from './removal.entity.js';

/** What is kept, and for how long: knows tables of all modules, and is known by none. */
@Module({
  imports: [MikroOrmModule.forFeature([Removal])],
  providers: [AgedRemover, RemovalMetrics],
})
export class RetentionModule {}
