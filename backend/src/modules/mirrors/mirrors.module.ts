import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { FilesModule } from '../files/files.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { MirrorRepository } from './mirror.repository.js';
import { MirrorService } from './mirror.service.js';
import { MirrorsController } from './mirrors.controller.js';

@Module({
  imports: [AuthModule, ActivityModule, ZonesModule, FilesModule],
  controllers: [MirrorsController],
  providers: [MirrorRepository, MirrorService],
})
export class MirrorsModule {}
