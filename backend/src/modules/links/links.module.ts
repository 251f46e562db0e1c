import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type OnModuleInit } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ZoneTypePort } from '../zones/zone-type.port.js';
import { ZonesModule } from '../zones/zones.module.js';
import { LinkUsage } from './entities/link-usage.entity.js';
import { PendingJoin } from './entities/pending-join.entity.js';
import { TemporaryLink } from './entities/temporary-link.entity.js';
import { ForgetLinkVisitorsHandler } from './forget-link-visitors.handler.js';
import { GeoIp } from './geo-ip.service.js';
import { JoinService } from './join.service.js';
import { LinkAnalyticsService } from './link-analytics.service.js';
import { LinkEntryService } from './link-entry.service.js';
import { LinkPasswords } from './link-password.service.js';
import { LinksController } from './links.controller.js';
import { LinksPersonalData } from './links-personal-data.js';
import { LinkUsages } from './link-usage.service.js';
import { MarkExpiredLinksHandler } from './mark-expired-links.handler.js';
import { PublicZoneService } from './public-zone.service.js';
import { PurgePendingJoinsHandler } from './purge-pending-joins.handler.js';
import { SendJoinVerificationHandler } from './send-join-verification.handler.js';
import { TemporaryJoinController } from './temporary-join.controller.js';
import { TemporaryLinkListService } from './temporary-link-list.service.js';
import { TemporaryLinkService } from './temporary-link.service.js';
import { TemporaryLinksController } from './temporary-links.controller.js';
import { VerifyJoinService } from './verify-join.service.js';

@Module({
  imports: [MikroOrmModule.forFeature([PendingJoin, TemporaryLink, LinkUsage]), AuthModule, ZonesModule],
  controllers: [LinksController, TemporaryLinksController, TemporaryJoinController],
  providers: [
    ForgetLinkVisitorsHandler,
    GeoIp,
    JoinService,
    LinkAnalyticsService,
    LinkEntryService,
    LinkPasswords,
    LinksPersonalData,
    LinkUsages,
    MarkExpiredLinksHandler,
    PublicZoneService,
    PurgePendingJoinsHandler,
    SendJoinVerificationHandler,
    TemporaryLinkListService,
    TemporaryLinkService,
    VerifyJoinService,
  ],
})
export class LinksModule implements OnModuleInit {
  constructor(
    private readonly types: ZoneTypePort,
    private readonly links: TemporaryLinkService,
  ) {}

  /** A zone that becomes public needs its temporary links no more; its public link ends with the column itself. */
  onModuleInit(): void {
    this.types.register(async (em, { zoneId, type, actorId }) => {
      if (type === 'public') await this.links.endAll(em, zoneId, actorId);
    });
  }
}
