import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { PendingJoin } from './entities/pending-join.entity.js';
import { JoinService } from './join.service.js';
import { LinksController } from './links.controller.js';
import { LinksPersonalData } from './links-personal-data.js';
import { PublicZoneService } from './public-zone.service.js';
import { PurgePendingJoinsHandler } from './purge-pending-joins.handler.js';
import { SendJoinVerificationHandler } from './send-join-verification.handler.js';
import { VerifyJoinService } from './verify-join.service.js';

@Module({
  imports: [MikroOrmModule.forFeature([PendingJoin]), AuthModule, ZonesModule],
  controllers: [LinksController],
  providers: [
    JoinService,
    LinksPersonalData,
    PublicZoneService,
    PurgePendingJoinsHandler,
    SendJoinVerificationHandler,
    VerifyJoinService,
  ],
})
export class LinksModule {}
