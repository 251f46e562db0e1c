import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { SecurityEvent } from './security-event.entity.js';
import { SecurityMetrics } from './security-metrics.js';
import { SecurityEventLogService } from './security-event-log.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([SecurityEvent])],
  providers: [SecurityMetrics, SecurityEventLogService],
  exports: [SecurityEventLogService],
})
export class SecurityEventsModule {}
