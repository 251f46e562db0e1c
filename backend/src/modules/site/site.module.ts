import { Module } from '@nestjs/common';
import { SiteCountsService } from './site-counts.service.js';
import { SiteCountsRepository } from './site-counts.repository.js';
import { SiteController } from './site.controller.js';
import { SiteService } from './site.service.js';

/** Public information about this installation. */
@Module({ controllers: [SiteController], providers: [SiteCountsRepository, SiteCountsService, SiteService] })
export class SiteModule {}
