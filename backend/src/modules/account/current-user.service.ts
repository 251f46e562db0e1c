import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../platform/http/viewer.js';
import { signedInUser } from '../auth/dto/signed-in-user.dto.js';
import { UserService } from '../auth/user.service.js';
import { ZoneListService } from '../zones/zone-list.service.js';
import type { CurrentUserDto } from './dto/current-user.dto.js';

/** The signed-in person as the page needs them on every screen. */
@Injectable()
export class CurrentUserService {
  constructor(
    private readonly users: UserService,
    private readonly zones: ZoneListService,
  ) {}

  async of({ userId, restricted }: Viewer): Promise<CurrentUserDto> {
    const user = await this.users.findById(userId);
    return {
      ...signedInUser(user, restricted),
      zoneCount: await this.zones.countOwned(userId),
      postalAddress: user.postalAddress ?? null,
      notifyAcceptedInvitations: user.notifyAcceptedInvitations,
      notifySuggestions: user.notifySuggestions,
    };
  }
}
