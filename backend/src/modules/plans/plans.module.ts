import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { Usage } from './usage.entity.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [MikroOrmModule.forFeature([Usage])],
  providers: [UsageService],
  exports: [UsageService],
})
export class PlansModule {}
