import { Injectable } from '@nestjs/common';
import { MailHealth } from '../../platform/mail/mail-health.service.js';
import type { Viewer } from '../../platform/http/reading/viewer.js';
import { signedInUser } from '../auth/dto/signed-in-user.dto.js';
import { UserService } from '../auth/users/user.service.js';
import { OwnInvitations } from '../zones/invitations/accepting/own-invitations.service.js';
import { ZoneListService } from '../zones/zone/zone-list.service.js';
import type { CurrentUserDto } from './dto/current-user.dto.js';

/** The signed-in person as the page needs them on every screen. */
@Injectable()
export class CurrentUserService {
  constructor(
    private readonly users: UserService,
    private readonly zones: ZoneListService,
    private readonly invitations: OwnInvitations,
    private readonly mail: MailHealth,
  ) {}

  /** What the page knows of who is asking, of whom the session or the token is. */
  async of({ userId, restricted, factorNeeded }: Viewer): Promise<CurrentUserDto> {
    const user = await this.users.findById(userId);
    const zones = await this.zones.counts(userId);
    return {
      ...signedInUser(user, restricted),
      factorNeeded,
      hasPassword: user.password != null,
      zoneCount: zones.owned,
      sharedZoneCount: zones.shared,
      isOnlyInvited: zones.owned + zones.shared === 0 && (await this.invitations.isInvited(userId)),
      postalAddress: user.postalAddress ?? null,
      notifyAcceptedInvitations: user.notifyAcceptedInvitations,
      notifySuggestions: user.notifySuggestions,
      notifyAdministration: user.notifyAdministration,
      emailDelivery: await this.mail.delivery(),
    };
  }
}
