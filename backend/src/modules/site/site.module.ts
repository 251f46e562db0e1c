import { Module } from '@nestjs/common';
import { FiguresService } from './figures.service.js';
import { SiteController } from './site.controller.js';
import { SiteService } from './site.service.js';

/** What anybody may know of this installation. */
@Module({ controllers: [SiteController], providers: [FiguresService, SiteService] })
export class SiteModule {}
