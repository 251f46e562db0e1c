import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardService } from './dashboard.service.js';

@Module({ imports: [ActivityModule], controllers: [DashboardController], providers: [DashboardService] })
export class InsightsModule {}
