import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { authErrors } from '../auth.errors.js';
import { ApiTokenService } from '../tokens/api-token.service.js';
import type { User } from '../entities/user.entity.js';
import { PasswordHashService } from './password-hash.service.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import { SessionService } from '../sessions/session.service.js';
import { ACCOUNT_INVITATION, SingleUseTokenService } from '../tokens/single-use-token.service.js';
import { TemporaryPasswordPort } from './temporary-password.port.js';

/** Passwords that people set for themselves: what follows is the same wherever one is set. */
@Injectable()
export class CredentialService {
  constructor(
    private readonly clock: Clock,
    private readonly sessions: SessionService,
    private readonly tokens: SingleUseTokenService,
    private readonly apiTokens: ApiTokenService,
    private readonly temporaryPasswords: TemporaryPasswordPort,
    private readonly passwords: PasswordHashService,
    private readonly codes: VerificationCodeService,
  ) {}

  /**
   * Sees to it that a password that somebody sets is another one than they have, be it their own or a mailed one.
   * @param field the field of the form, for the message
   * @throws PASSWORD_UNCHANGED
   */
  async assertPasswordChanged(user: Pick<User, 'email' | 'password'>, password: string, field: string): Promise<void> {
    const isOwnPassword = user.password != null && (await this.passwords.verify(user.password, password));
    if (!isOwnPassword && (await this.temporaryPasswords.matchPassword(user.email, password)) === null) return;
    const { sentence } = authErrors.PASSWORD_UNCHANGED;
    throw authErrors.PASSWORD_UNCHANGED({}, { errors: { [field]: [sentence] } });
  }

  /**
   * Stores a password, in the caller's transaction, which holds the lock of the person's row.
   * @param hash from `UserService.hashNew`
   */
  async replacePassword(em: EntityManager, user: User, hash: string): Promise<void> {
    em.assign(user, { password: hash, updatedAt: this.clock.now() });
    await em.flush();
    await this.revokeOtherAccess(em, user);
  }

  /**
   * Ends whatever else could still let somebody in after a new password: all sessions, API tokens, temporary passwords
   * and mailed links to reset it, to sign in or to change the address. Comes after the flush of the password: a sign-in with the old one that is under way waits for
   * the person's row and then finds it changed.
   */
  async revokeOtherAccess(em: EntityManager, user: User): Promise<void> {
    await this.sessions.endAllSessions(em, user.id);
    await this.apiTokens.revokeAllTokens(em, user.id);
    await this.tokens.revokeTokens(em, { email: user.email, purpose: 'reset-password' });
    await this.tokens.revokeTokens(em, { email: user.email, purpose: 'reset-password', subject: ACCOUNT_INVITATION });
    await this.tokens.revokeTokens(em, { email: user.email, purpose: 'sign-in' });
    await this.codes.revokeCodes(em, user.email, 'sign-in');
    await this.tokens.revokeTokensOfSubject(em, 'change-email', String(user.id));
    await this.temporaryPasswords.revokeAll(em, user.email);
  }
}
