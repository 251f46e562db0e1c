import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { HourlyNotice } from './hourly-notice.entity.js';
import { HourlyNoticeRepository } from './hourly-notice.repository.js';
import { NotificationThrottleService } from './notification-throttle.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([HourlyNotice])],
  providers: [HourlyNoticeRepository, NotificationThrottleService],
  exports: [NotificationThrottleService],
})
export class NotificationThrottleModule {}
