import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { SecurityEvent } from './security-event.entity.js';
import { SecurityEventRepository } from './security-event.repository.js';
import { SecurityMetrics } from './security-metrics.js';
import { SecurityEventLogService } from './security-event-log.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([SecurityEvent])],
  providers: [SecurityEventRepository, SecurityMetrics, SecurityEventLogService],
  exports: [SecurityEventRepository, SecurityEventLogService],
})
export class SecurityEventsModule {}
