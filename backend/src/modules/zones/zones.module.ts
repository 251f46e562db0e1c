import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { AddressFollower } from './address-change/address-follower.service.js';
import { CounterCheck } from './members/counter-check.service.js';
import { AudienceService } from './members/audience.service.js';
import { ConsentService } from './consent/consent.service.js';
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
import { InvitationPlaces } from './invitations/invitation-places.service.js';
import { InvitationService } from './invitations/invitation.service.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { AcceptanceService } from './invitations/accepting/acceptance.service.js';
import { AcceptedEntry } from './invitations/accepting/accepted-entry.service.js';
import { InvitationChangeService } from './invitations/invitation-change.service.js';
import { InvitationExpiry } from './invitations/ending/invitation-expiry.service.js';
import { InvitationReader } from './invitations/invitation-reader.service.js';
import { InvitationSifting } from './invitations/sending/invitation-sifting.service.js';
import { OwnInvitations } from './invitations/accepting/own-invitations.service.js';
import { OwnInvitationsController } from './invitations/accepting/own-invitations.controller.js';
import { InvitedPasswords } from './invitations/accepting/invited-passwords.js';
import { InvitationPage } from './invitations/accepting/invitation-page.service.js';
import { InvitingService } from './invitations/sending/inviting.service.js';
import { InvitationMailer } from './invitations/sending/invitation-mailer.js';
import { InvitationNews } from './invitations/accepting/invitation-news.js';
import { AddingService } from './import/adding.service.js';
import { ImportController } from './import/import.controller.js';
import { ImportSifting } from './import/import-sifting.service.js';
import { ImportService } from './import/import.service.js';
import { InvitingRowsService } from './import/inviting-rows.service.js';
import { TellingService } from './import/telling.service.js';
import { JoinRequestService } from './requests/join-request.service.js';
import { JoinRequestsController } from './requests/join-requests.controller.js';
import { BlockService } from './kept-out/block.service.js';
import { BlocksController } from './kept-out/blocks.controller.js';
import { KeptOut } from './kept-out/kept-out.service.js';
import { MemberRemoval, ZoneBlock } from './kept-out/zone-block.entity.js';
import { LeaveListService } from './leaving/leave-list.service.js';
import { LeavingController } from './leaving/leaving.controller.js';
import { LeavingService } from './leaving/leaving.service.js';
import { MemberRemover } from './leaving/member-remover.service.js';
import { MemberExportService } from './members/member-export.service.js';
import { MemberListService } from './members/member-list.service.js';
import { MemberOverviewService } from './members/member-overview.service.js';
import { MemberTermsService } from './members/member-terms.service.js';
import { MembersController } from './members/members.controller.js';
import { MemberAdmission } from './joining/member-admission.service.js';
import { StrangerMail } from './strangers/stranger-mail.entity.js';
import { StrangerMails } from './strangers/stranger-mail.service.js';
import { SuppressionService } from './leaving/suppression.service.js';
import { UnsubscribeLinkService } from './leaving/unsubscribe-link.service.js';
import { UnsubscribeController } from './leaving/unsubscribe.controller.js';
import { UnsubscribeService } from './leaving/unsubscribe.service.js';
import { ZoneAccessGuard } from './access/zone-access.guard.js';
import { ZoneAccessService } from './access/zone-access.service.js';
import { ZoneFullService } from './zone/zone-full.service.js';
import { ZoneListService } from './zone/zone-list.service.js';
import { ZoneUsePort } from './zone/zone-use.port.js';
import { ZoneRemovalService } from './zone/zone-removal.service.js';
import { ZoneService } from './zone/zone.service.js';
import { ZonesController } from './zone/zones.controller.js';
import { JoinRequestMailer } from './requests/join-request-mailer.js';
import { ZonePurger } from './zone/zone-purger.js';
import { ZoneMailer } from './zone/zone-mailer.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      ...[Zone, ZoneStats, ZoneMember, ZoneLeave, EmailConsent, EmailUnsubscribe],
      ...[Audience, JoinRequest, Suppression, Invitation, StrangerMail],
      ...[MemberRemoval, ZoneBlock, SuppressionLift, DeletedZone],
    ]),
    AuthModule,
    ActivityModule,
    PlansModule,
  ],
  controllers: [
    ...[ZonesController, JoinRequestsController, LeavingController, MembersController, UnsubscribeController],
    ...[InvitationsController, AcceptanceController, OwnInvitationsController, ImportController, BlocksController],
  ],
  providers: [
    ...[
      AcceptanceService,
      AcceptedEntry,
      InvitationChangeService,
      InvitationExpiry,
      InvitationMailer,
      InvitationNews,
      InvitationPage,
      InvitationPlaces,
      InvitationReader,
      InvitationService,
      InvitationSifting,
      InvitedPasswords,
      InvitingService,
      OwnInvitations,
    ],
    ...[AddingService, ImportService, ImportSifting, InvitingRowsService, TellingService],
    ...[BlockService, KeptOut, JoinRequestMailer],
    ...[AudienceService, CounterCheck],
    ConsentService,
    JoinRequestService,
    LeaveListService,
    LeavingService,
    MemberExportService,
    MemberListService,
    MemberOverviewService,
    MemberTermsService,
    ...[MemberAdmission, MemberRemover],
    ZonePurger,
    StrangerMails,
    SuppressionService,
    AddressFollower,
    ZoneMailer,
    UnsubscribeLinkService,
    UnsubscribeService,
    ZoneAccessGuard,
    ZoneAccessService,
    ZoneFullService,
    ZoneListService,
    ZoneRemovalService,
    ZoneUsePort,
    ZoneService,
  ],
  exports: [
    AudienceService,
    ConsentService,
    InvitationPlaces,
    InvitationService,
    JoinRequestService,
    KeptOut,
    LeavingService,
    ...[MemberAdmission, MemberRemover],
    OwnInvitations,
    StrangerMails,
    SuppressionService,
    UnsubscribeLinkService,
    ZoneAccessGuard,
    ZoneAccessService,
    ZoneFullService,
    ZoneListService,
    ZoneRemovalService,
    ZoneUsePort,
    ZoneService,
  ],
})
export class ZonesModule {}
