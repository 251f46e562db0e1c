import { Module } from '@nestjs/common';
import { FiguresService } from './figures.service.js';
import { SiteController } from './site.controller.js';

/** What anybody may know of this installation. */
@Module({ controllers: [SiteController], providers: [FiguresService] })
export class SiteModule {}
