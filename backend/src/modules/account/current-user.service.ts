import { Injectable } from '@nestjs/common';
import { MailServerHealthService } from '../../platform/email/mail-server-health.service.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { toSignedInUserDto } from '../auth/dto/signed-in-user.dto.js';
import { UserRepository } from '../auth/users/user.repository.js';
import { InvitationListRepository } from '../zones/invitations/invitation-list.repository.js';
import { ZoneListRepository } from '../zones/zone/zone-list.repository.js';
import type { CurrentUserDto } from './dto/current-user.dto.js';

/** The signed-in user's data that the page needs on every screen. */
@Injectable()
export class CurrentUserService {
  constructor(
    private readonly users: UserRepository,
    private readonly zones: ZoneListRepository,
    private readonly invitations: InvitationListRepository,
    private readonly mailHealth: MailServerHealthService,
  ) {}

  async getCurrentUser({ userId, restricted, needsMfaSetup }: Viewer): Promise<CurrentUserDto> {
    const user = await this.users.getManagedUser(userId);
    const zones = await this.zones.countZones(userId);
    return {
      ...toSignedInUserDto(user, restricted),
      factorNeeded: needsMfaSetup,
      hasPassword: user.password != null,
      zoneCount: zones.owned,
      sharedZoneCount: zones.shared,
      isOnlyInvited: zones.owned + zones.shared === 0 && (await this.invitations.hasOpenForUser(userId)),
      postalAddress: user.postalAddress ?? null,
      notifyAcceptedInvitations: user.notifyAcceptedInvitations,
      notifySuggestions: user.notifySuggestions,
      notifyAdministration: user.notifyAdministration,
      emailDelivery: await this.mailHealth.deliveryStatus(),
    };
  }
}
