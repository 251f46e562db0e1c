import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { authErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { isReservedUsername } from '../shared/reserved-usernames.js';
import { UserRepository } from '../users/user.repository.js';

/** Allowed within any window of `USERNAME_CHANGE_WINDOW`. */
const MAX_CHANGES = 2;
export const USERNAME_CHANGE_WINDOW = 10 * DAY;

/** Limits username changes: the first setting is free, then 2 changes in any 10 days. */
@Injectable()
export class UsernameChangeService {
  constructor(
    private readonly users: UserRepository,
    private readonly clock: Clock,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Changes the username in the caller's transaction, which must have locked the user (so that concurrent changes are
   * counted) and must save it by `UserService.saveProfile`.
   * @param username in lower case
   * @throws USERNAME_RESERVED, USERNAME_CHANGE_LIMIT with the date from which the next change is possible
   */
  async changeUsername(em: EntityManager, user: User, username: string): Promise<void> {
    if (username === user.username) return;
    if (isReservedUsername(username)) throw authErrors.USERNAME_RESERVED();
    if (user.username != null) await this.recordChange(em, user);
    user.username = username;
  }

  private async recordChange(em: EntityManager, user: User): Promise<void> {
    const now = this.clock.now();
    const recent = await this.users.findUsernameChanges(em, user.id, addMilliseconds(now, -USERNAME_CHANGE_WINDOW));
    const blocking = recent[MAX_CHANGES - 1];
    if (blocking) {
      const date = addMilliseconds(blocking, USERNAME_CHANGE_WINDOW).toISOString().slice(0, 10);
      throw authErrors.USERNAME_CHANGE_LIMIT({ date });
    }
    await this.users.insertUsernameChange(em, user.id, now);
    Object.assign(user, { usernameChangedAt: now, usernameChangeCount: user.usernameChangeCount + 1 });
    await this.audit.record(em, { type: 'user.username-changed', actorId: user.id, subjectId: user.id });
  }
}
