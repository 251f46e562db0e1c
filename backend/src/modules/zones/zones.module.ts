import { MikroOrmModule } from '@mikro-orm/nestjs';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Module, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import type { User } from '../auth/entities/user.entity.js';
import { UserNamePort } from '../auth/user-name.port.js';
import { PlansModule } from '../plans/plans.module.js';
import { AudienceService } from './audience.service.js';
import { ConsentService } from './consent.service.js';
import { Audience } from './entities/audience.entity.js';
import { EmailConsent } from './entities/email-consent.entity.js';
import { EmailUnsubscribe } from './entities/email-unsubscribe.entity.js';
import { InvitationNotice } from './entities/invitation-notice.entity.js';
import { Invitation } from './entities/invitation.entity.js';
import { JoinRequest } from './entities/join-request.entity.js';
import { Suppression } from './entities/suppression.entity.js';
import { ZoneLeave } from './entities/zone-leave.entity.js';
import { ZoneMember, ZoneMemberSchema } from './entities/zone-member.entity.js';
import { ZoneStats } from './entities/zone-stats.entity.js';
import { Zone } from './entities/zone.entity.js';
import { ExpireMembersHandler } from './expire-members.handler.js';
import { AcceptanceController } from './invitations/acceptance.controller.js';
import { InvitationService } from './invitations/invitation.service.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { invitationProviders } from './invitations/invitations.providers.js';
import { AddingService } from './import/adding.service.js';
import { ImportController } from './import/import.controller.js';
import { ImportSifting } from './import/import-sifting.service.js';
import { ImportService } from './import/import.service.js';
import { InvitingRowsService } from './import/inviting-rows.service.js';
import { JoinRequestService } from './join-request.service.js';
import { JoinRequestsController } from './join-requests.controller.js';
import { LeaveListService } from './leave-list.service.js';
import { LeavingController } from './leaving.controller.js';
import { LeavingService } from './leaving.service.js';
import { MemberCounts } from './member-counts.service.js';
import { nameKeys } from './member-keys.js';
import { MemberExportService } from './member-export.service.js';
import { MemberListService } from './member-list.service.js';
import { MemberOverviewService } from './member-overview.service.js';
import { MemberTermsService } from './member-terms.service.js';
import { MembersController } from './members.controller.js';
import { MembershipPort } from './membership.port.js';
import { MembershipEntry } from './membership-entry.service.js';
import { MembershipService } from './membership.service.js';
import { PurgeZoneHandler } from './purge-zone.handler.js';
import { SuppressionService } from './suppression.service.js';
import { TellAdmittedHandler } from './tell-admitted.handler.js';
import { TellZoneFullHandler } from './tell-zone-full.handler.js';
import { TellZoneRemovedHandler } from './tell-zone-removed.handler.js';
import { UnsubscribeLinkService } from './unsubscribe-link.service.js';
import { UnsubscribeController } from './unsubscribe.controller.js';
import { UnsubscribeService } from './unsubscribe.service.js';
import { ZoneAccessGuard } from './zone-access.guard.js';
import { ZoneAccessService } from './zone-access.service.js';
import { ZoneFullService } from './zone-full.service.js';
import { ZoneListService } from './zone-list.service.js';
import { ZonePurgePort } from './zone-purge.port.js';
import { ZoneRemovalService } from './zone-removal.service.js';
import { ZoneTypePort } from './zone-type.port.js';
import { ZoneService } from './zone.service.js';
import { ZonesController } from './zones.controller.js';
import { ZonesPersonalData } from './zones-personal-data.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      ...[Zone, ZoneStats, ZoneMember, ZoneLeave, EmailConsent, EmailUnsubscribe],
      ...[Audience, JoinRequest, Suppression, Invitation, InvitationNotice],
    ]),
    AuthModule,
    ActivityModule,
    PlansModule,
  ],
  controllers: [
    ...[ZonesController, JoinRequestsController, LeavingController, MembersController, UnsubscribeController],
    ...[InvitationsController, AcceptanceController, ImportController],
  ],
  providers: [
    ...invitationProviders,
    ...[AddingService, ImportService, ImportSifting, InvitingRowsService],
    AudienceService,
    ConsentService,
    ExpireMembersHandler,
    JoinRequestService,
    LeaveListService,
    LeavingService,
    MemberCounts,
    MemberExportService,
    MemberListService,
    MemberOverviewService,
    MemberTermsService,
    MembershipPort,
    MembershipEntry,
    MembershipService,
    PurgeZoneHandler,
    SuppressionService,
    TellAdmittedHandler,
    TellZoneFullHandler,
    TellZoneRemovedHandler,
    UnsubscribeLinkService,
    UnsubscribeService,
    ZoneAccessGuard,
    ZoneAccessService,
    ZoneFullService,
    ZoneListService,
    ZonePurgePort,
    ZoneRemovalService,
    ZonesPersonalData,
    ZoneService,
    ZoneTypePort,
  ],
  exports: [
    AudienceService,
    ConsentService,
    InvitationService,
    JoinRequestService,
    LeavingService,
    MembershipPort,
    MembershipService,
    SuppressionService,
    UnsubscribeLinkService,
    ZoneAccessGuard,
    ZoneAccessService,
    ZoneFullService,
    ZoneListService,
    ZonePurgePort,
    ZoneRemovalService,
    ZoneService,
    ZoneTypePort,
  ],
})
export class ZonesModule implements OnModuleInit {
  constructor(private readonly names: UserNamePort) {}

  onModuleInit(): void {
    this.names.register(followName);
  }
}

/** Keeps the sort and search keys of a person's memberships after a change of name. */
async function followName(em: EntityManager, user: User): Promise<void> {
  await query<typeof ZoneMemberSchema>(em)
    .updateTable('zone_members')
    .set(nameKeys(user))
    .where('user_id', '=', user.id)
    .execute();
}
