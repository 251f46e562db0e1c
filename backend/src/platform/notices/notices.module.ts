import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { HourlyNotice } from './hourly-notice.entity.js';
import { HourlyNotices } from './hourly-notices.service.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([HourlyNotice])],
  providers: [HourlyNotices],
  exports: [HourlyNotices],
})
export class NoticesModule {}
