import { AcceptanceService } from './acceptance.service.js';
import { AcceptedEntry } from './accepted-entry.service.js';
import { ExpireInvitationsHandler } from './expire-invitations.handler.js';
import { InvitationChangeService } from './invitation-change.service.js';
import { InvitationExpiry } from './invitation-expiry.service.js';
import { InvitationListService } from './invitation-list.service.js';
import { InvitationLookup } from './invitation-lookup.service.js';
import { InvitationPlaces } from './invitation-places.service.js';
import { InvitationService } from './invitation.service.js';
import { InvitationSifting } from './invitation-sifting.service.js';
import { InvitationsPersonalData } from './invitations-personal-data.js';
import { InvitedPasswords } from './invited-passwords.js';
import { InvitingService } from './inviting.service.js';
import { PurgeInvitationsHandler } from './purge-invitations.handler.js';
import { SendInvitationHandler } from './send-invitation.handler.js';
import { TellInvitationAcceptedHandler } from './tell-invitation-accepted.handler.js';

/** The part of the zones module that looks after invitations. */
export const invitationProviders = [
  AcceptanceService,
  AcceptedEntry,
  ExpireInvitationsHandler,
  InvitationChangeService,
  InvitationExpiry,
  InvitationListService,
  InvitationLookup,
  InvitationPlaces,
  InvitationService,
  InvitationSifting,
  InvitationsPersonalData,
  InvitedPasswords,
  InvitingService,
  PurgeInvitationsHandler,
  SendInvitationHandler,
  TellInvitationAcceptedHandler,
];
