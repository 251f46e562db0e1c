import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { authErrors } from './auth.errors.js';
import type { User } from './entities/user.entity.js';
import { PasswordService } from './password.service.js';
import { SessionService } from './session.service.js';
import { SingleUseTokenService } from './single-use-token.service.js';
import { TemporaryPasswordPort } from './temporary-password.port.js';

/** Passwords that people set for themselves: what follows is the same wherever one is set. */
@Injectable()
export class CredentialService {
  constructor(
    private readonly clock: Clock,
    private readonly sessions: SessionService,
    private readonly tokens: SingleUseTokenService,
    private readonly temporary: TemporaryPasswordPort,
    private readonly passwords: PasswordService,
  ) {}

  /**
   * Sees to it that a password that somebody sets is another one than they have, be it their own or a mailed one.
   * @param field the field of the form, for the message
   * @throws PASSWORD_UNCHANGED
   */
  async refuseUnchanged(user: Pick<User, 'email' | 'password'>, password: string, field: string): Promise<void> {
    const own = user.password != null && (await this.passwords.verify(user.password, password));
    if (!own && !(await this.temporary.matches(user.email, password))) return;
    const { sentence } = authErrors.PASSWORD_UNCHANGED;
    throw authErrors.PASSWORD_UNCHANGED({}, { errors: { [field]: [sentence] } });
  }

  /**
   * Stores a password, in the caller's transaction, which holds the lock of the person's row.
   * @param hash from `UserService.hashNew`
   */
  async replace(em: EntityManager, user: User, hash: string): Promise<void> {
    em.assign(user, { password: hash, updatedAt: this.clock.now() });
    await em.flush();
    await this.endOthers(em, user);
  }

  /**
   * Ends whatever else could still let somebody in after a new password: all sessions, temporary passwords and mailed
   * links to reset it. Comes after the flush of the password: a sign-in with the old one that is under way waits for
   * the person's row and then finds it changed.
   */
  async endOthers(em: EntityManager, user: User): Promise<void> {
    await this.sessions.closeAll(em, user.id);
    await this.tokens.revoke(em, { email: user.email, purpose: 'reset-password' });
    await this.temporary.revokeAll(em, user.email);
  }
}
