import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { LinkGrant } from './entities/link-grant.entity.js';
import { LinkUsage } from './entities/link-usage.entity.js';
import { LinkUsageTotal } from './entities/link-usage-total.entity.js';
import { PendingJoin } from './entities/pending-join.entity.js';
import { TemporaryLink } from './entities/temporary-link.entity.js';
import { PendingJoins } from './joining/pending-joins.service.js';
import { JoinCodeController } from './joining/join-code.controller.js';
import { JoinService } from './joining/join.service.js';
import { LinkAnalyticsService } from './figures/link-analytics.service.js';
import { FirstFiles } from './first-files.service.js';
import { LinkEntryService } from './link-entry.service.js';
import { LinkPreviewService } from './link-preview.service.js';
import { LinkPasswords } from './temporary/link-password.service.js';
import { LinksController } from './links.controller.js';
import { LinkUsages } from './figures/link-usage.service.js';
import { TemporaryJoinController } from './joining/temporary-join.controller.js';
import { TemporaryLinkListService } from './temporary/temporary-link-list.service.js';
import { TemporaryLinkService } from './temporary/temporary-link.service.js';
import { TemporaryLinksController } from './temporary/temporary-links.controller.js';
import { VerifyJoinService } from './joining/verify-join.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([PendingJoin, TemporaryLink, LinkUsage, LinkUsageTotal, LinkGrant]),
    AuthModule,
    ZonesModule,
  ],
  controllers: [LinksController, TemporaryLinksController, TemporaryJoinController, JoinCodeController],
  providers: [
    FirstFiles,
    JoinService,
    LinkAnalyticsService,
    LinkEntryService,
    LinkPasswords,
    LinkPreviewService,
    LinkUsages,
    PendingJoins,
    TemporaryLinkListService,
    TemporaryLinkService,
    VerifyJoinService,
  ],
})
export class LinksModule {}
