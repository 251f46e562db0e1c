import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { MembershipEmailSyncService } from './email-change/membership-email-sync.service.js';
import { CounterCheckService } from './members/counter-check.service.js';
import { AudienceService } from './members/audience.service.js';
import { ConsentRepository } from './consent/consent.repository.js';
import { Audience } from './entities/audience.entity.js';
import { DeletedZone } from './entities/deleted-zone.entity.js';
import { EmailConsent } from './entities/email-consent.entity.js';
import { EmailUnsubscribe } from './entities/email-unsubscribe.entity.js';
import { Invitation } from './entities/invitation.entity.js';
import { JoinRequest } from './entities/join-request.entity.js';
import { Suppression, SuppressionLift } from './entities/suppression.entity.js';
import { ZoneLeave } from './entities/zone-leave.entity.js';
import { ZoneMember } from './entities/zone-member.entity.js';
import { ZoneStats } from './entities/zone-stats.entity.js';
import { Zone } from './entities/zone.entity.js';
import { AcceptanceController } from './invitations/accepting/acceptance.controller.js';
import { InvitationQuotaService } from './invitations/invitation-quota.service.js';
import { InvitationService } from './invitations/invitation.service.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationLinkService } from './invitations/accepting/invitation-link.service.js';
import { InvitationAcceptanceService } from './invitations/accepting/invitation-acceptance.service.js';
import { InvitationChangeService } from './invitations/invitation-change.service.js';
import { InvitationExpiryService } from './invitations/expiry/invitation-expiry.service.js';
import { InvitationListService } from './invitations/invitation-list.service.js';
import { InvitationValidationService } from './invitations/sending/invitation-validation.service.js';
import { OwnInvitationService } from './invitations/accepting/own-invitation.service.js';
import { OwnInvitationsController } from './invitations/accepting/own-invitations.controller.js';
import { InvitationPasswordSource } from './invitations/accepting/invitation-password-source.js';
import { InvitationPageService } from './invitations/accepting/invitation-page.service.js';
import { InvitePeopleService } from './invitations/sending/invite-people.service.js';
import { InvitationMailer } from './invitations/sending/invitation-mailer.js';
import { InvitationNotificationService } from './invitations/accepting/invitation-notification.service.js';
import { ImportAddService } from './import/import-add.service.js';
import { ImportController } from './import/import.controller.js';
import { ImportValidationService } from './import/import-validation.service.js';
import { ImportService } from './import/import.service.js';
import { ImportInviteService } from './import/import-invite.service.js';
import { ImportNotificationService } from './import/import-notification.service.js';
import { JoinRequestService } from './requests/join-request.service.js';
import { JoinRequestsController } from './requests/join-requests.controller.js';
import { BlockService } from './restrictions/block.service.js';
import { BlocksController } from './restrictions/blocks.controller.js';
import { MembershipRestrictionRepository } from './restrictions/membership-restriction.repository.js';
import { MemberRemoval, ZoneBlock } from './restrictions/zone-block.entity.js';
import { LeaveListService } from './leaving/leave-list.service.js';
import { LeavingController } from './leaving/leaving.controller.js';
import { LeavingService } from './leaving/leaving.service.js';
import { MemberRemovalService } from './leaving/member-removal.service.js';
import { MemberExportService } from './members/member-export.service.js';
import { MemberListService } from './members/member-list.service.js';
import { MemberTermsService } from './members/member-terms.service.js';
import { MembersController } from './members/members.controller.js';
import { MembershipService } from './joining/membership.service.js';
import { NonMemberEmailCount } from './email-quota/non-member-email-count.entity.js';
import { NonMemberEmailQuotaService } from './email-quota/non-member-email-quota.service.js';
import { SuppressionRepository } from './leaving/suppression.repository.js';
import { UnsubscribeLinkService } from './leaving/unsubscribe-link.service.js';
import { UnsubscribeController } from './leaving/unsubscribe.controller.js';
import { UnsubscribeService } from './leaving/unsubscribe.service.js';
import { ZoneAccessGuard } from './access/zone-access.guard.js';
import { ZoneAccessRepository } from './access/zone-access.repository.js';
import { ZoneCapacityService } from './zone/zone-capacity.service.js';
import { ZoneListService } from './zone/zone-list.service.js';
import { ZoneUsePort } from './zone/zone-use.port.js';
import { ZoneDeletionService } from './zone/zone-deletion.service.js';
import { ZoneService } from './zone/zone.service.js';
import { ZonesController } from './zone/zones.controller.js';
import { JoinRequestMailer } from './requests/join-request-mailer.js';
import { ZonePurger } from './zone/zone-purger.js';
import { ZoneMailer } from './zone/zone-mailer.js';
import { JoinRequestRepository } from './requests/join-request.repository.js';
import { LeaveRepository } from './leaving/leave.repository.js';
import { AudienceRepository } from './members/audience.repository.js';
import { MemberListRepository } from './members/member-list.repository.js';
import { MembershipRepository } from './joining/membership.repository.js';
import { ZoneListRepository } from './zone/zone-list.repository.js';
import { ZoneStatsRepository } from './zone/zone-stats.repository.js';
import { ZoneRepository } from './zone/zone.repository.js';
import { InvitationListRepository } from './invitations/invitation-list.repository.js';
import { InvitationRepository } from './invitations/invitation.repository.js';
import { InvitationNoticeRepository } from './invitations/accepting/invitation-notice.repository.js';
import { NonMemberEmailCountRepository } from './email-quota/non-member-email-count.repository.js';
import { RelationRepository } from './shared/relation.repository.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      Zone,
      ZoneStats,
      ZoneMember,
      ZoneLeave,
      EmailConsent,
      EmailUnsubscribe,
      Audience,
      JoinRequest,
      Suppression,
      Invitation,
      NonMemberEmailCount,
      MemberRemoval,
      ZoneBlock,
      SuppressionLift,
      DeletedZone,
    ]),
    AuthModule,
    ActivityModule,
    PlansModule,
  ],
  controllers: [
    ZonesController,
    JoinRequestsController,
    LeavingController,
    MembersController,
    UnsubscribeController,
    InvitationsController,
    AcceptanceController,
    OwnInvitationsController,
    ImportController,
    BlocksController,
  ],
  providers: [
    JoinRequestRepository,
    LeaveRepository,
    AudienceRepository,
    MemberListRepository,
    MembershipRepository,
    ZoneListRepository,
    ZoneStatsRepository,
    ZoneRepository,
    RelationRepository,
    NonMemberEmailCountRepository,
    InvitationListRepository,
    InvitationRepository,
    InvitationNoticeRepository,
    InvitationLinkService,
    InvitationAcceptanceService,
    InvitationChangeService,
    InvitationExpiryService,
    InvitationMailer,
    InvitationNotificationService,
    InvitationPageService,
    InvitationQuotaService,
    InvitationListService,
    InvitationService,
    InvitationValidationService,
    InvitationPasswordSource,
    InvitePeopleService,
    OwnInvitationService,
    ImportAddService,
    ImportService,
    ImportValidationService,
    ImportInviteService,
    ImportNotificationService,
    BlockService,
    MembershipRestrictionRepository,
    JoinRequestMailer,
    AudienceService,
    CounterCheckService,
    ConsentRepository,
    JoinRequestService,
    LeaveListService,
    LeavingService,
    MemberExportService,
    MemberListService,
    MemberTermsService,
    MembershipService,
    MemberRemovalService,
    ZonePurger,
    NonMemberEmailQuotaService,
    SuppressionRepository,
    MembershipEmailSyncService,
    ZoneMailer,
    UnsubscribeLinkService,
    UnsubscribeService,
    ZoneAccessGuard,
    ZoneAccessRepository,
    ZoneCapacityService,
    ZoneListService,
    ZoneDeletionService,
    ZoneUsePort,
    ZoneService,
  ],
  exports: [
    JoinRequestRepository,
    AudienceRepository,
    MembershipRepository,
    ZoneStatsRepository,
    ZoneRepository,
    ZoneListRepository,
    InvitationListRepository,
    AudienceService,
    ConsentRepository,
    InvitationQuotaService,
    InvitationService,
    JoinRequestService,
    MembershipRestrictionRepository,
    LeavingService,
    MembershipService,
    MemberRemovalService,
    OwnInvitationService,
    NonMemberEmailQuotaService,
    SuppressionRepository,
    UnsubscribeLinkService,
    ZoneAccessGuard,
    ZoneAccessRepository,
    ZoneCapacityService,
    ZoneListService,
    ZoneDeletionService,
    ZoneUsePort,
    ZoneService,
  ],
})
export class ZonesModule {}
