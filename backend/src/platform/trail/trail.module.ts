import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { SecurityEvent } from './security-event.entity.js';
import { SecurityMetrics } from './security-metrics.js';
import { SecurityTrail } from './security-trail.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([SecurityEvent])],
  providers: [SecurityMetrics, SecurityTrail],
  exports: [SecurityTrail],
})
export class TrailModule {}
