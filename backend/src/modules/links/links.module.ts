import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { FilesModule } from '../files/files.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { ItemGuest } from './entities/item-guest.entity.js';
import { ItemLink } from './entities/item-link.entity.js';
import { LinkRedemption } from './entities/link-redemption.entity.js';
import { LinkUsage } from './entities/link-usage.entity.js';
import { LinkUsageTotal } from './entities/link-usage-total.entity.js';
import { PendingJoin } from './entities/pending-join.entity.js';
import { TemporaryLink } from './entities/temporary-link.entity.js';
import { GuestSubmissionService } from './item-links/guest-submission.service.js';
import { GuestCookieService } from './item-links/guest-cookie.service.js';
import { ItemLinkRepository } from './item-links/item-link.repository.js';
import { ItemLinkService } from './item-links/item-link.service.js';
import { ItemLinksController } from './item-links/item-links.controller.js';
import { SharedController } from './item-links/shared.controller.js';
import { SharedItemService } from './item-links/shared-item.service.js';
import { PendingJoinRepository } from './joining/pending-join.repository.js';
import { PendingJoinService } from './joining/pending-join.service.js';
import { JoinCodeController } from './joining/join-code.controller.js';
import { JoinService } from './joining/join.service.js';
import { LinkFiguresRepository } from './analytics/link-figures.repository.js';
import { LinkUsageRepository } from './analytics/link-usage.repository.js';
import { LinkAnalyticsService } from './analytics/link-analytics.service.js';
import { LinkRepository } from './link.repository.js';
import { LinkPreviewService } from './link-preview.service.js';
import { LinkPasswordService } from './temporary/link-password.service.js';
import { LinksController } from './links.controller.js';
import { LinkUsageService } from './analytics/link-usage.service.js';
import { TemporaryJoinController } from './joining/temporary-join.controller.js';
import { TemporaryLinkListService } from './temporary/temporary-link-list.service.js';
import { TemporaryLinkService } from './temporary/temporary-link.service.js';
import { TemporaryLinksController } from './temporary/temporary-links.controller.js';
import { VerifyJoinService } from './joining/verify-join.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      PendingJoin,
      TemporaryLink,
      LinkUsage,
      LinkUsageTotal,
      LinkRedemption,
      ItemLink,
      ItemGuest,
    ]),
    AuthModule,
    FilesModule,
    ZonesModule,
  ],
  controllers: [
    LinksController,
    TemporaryLinksController,
    TemporaryJoinController,
    JoinCodeController,
    ItemLinksController,
    SharedController,
  ],
  providers: [
    GuestCookieService,
    GuestSubmissionService,
    ItemLinkRepository,
    ItemLinkService,
    LinkFiguresRepository,
    LinkRepository,
    LinkUsageRepository,
    PendingJoinRepository,
    JoinService,
    LinkAnalyticsService,
    LinkPasswordService,
    LinkPreviewService,
    LinkUsageService,
    PendingJoinService,
    SharedItemService,
    TemporaryLinkListService,
    TemporaryLinkService,
    VerifyJoinService,
  ],
})
export class LinksModule {}
