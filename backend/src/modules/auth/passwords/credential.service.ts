import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { authErrors } from '../auth.errors.js';
import { ApiTokenRepository } from '../tokens/api-token.repository.js';
import type { User } from '../entities/user.entity.js';
import { PasswordHashService } from './password-hash.service.js';
import { VerificationCodeRepository } from '../registration/verification-code.repository.js';
import { SessionService } from '../sessions/session.service.js';
import { ACCOUNT_INVITATION, SingleUseTokenRepository } from '../tokens/single-use-token.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { TemporaryPasswordPort } from './temporary-password.port.js';

/** Sets passwords that users choose themselves. The consequences are the same wherever one is set. */
@Injectable()
export class CredentialService {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: SessionService,
    private readonly tokens: SingleUseTokenRepository,
    private readonly apiTokens: ApiTokenRepository,
    private readonly temporaryPasswords: TemporaryPasswordPort,
    private readonly passwords: PasswordHashService,
    private readonly codes: VerificationCodeRepository,
  ) {}

  /**
   * Asserts that a new password differs from the user's own and from emailed temporary ones.
   * @param field form field for the error message
   * @throws PASSWORD_UNCHANGED
   */
  async assertPasswordChanged(user: Pick<User, 'email' | 'password'>, password: string, field: string): Promise<void> {
    const isOwnPassword = user.password != null && (await this.passwords.verify(user.password, password));
    if (!isOwnPassword && (await this.temporaryPasswords.matchPassword(user.email, password)) === null) return;
    const { sentence } = authErrors.PASSWORD_UNCHANGED;
    throw authErrors.PASSWORD_UNCHANGED({}, { errors: { [field]: [sentence] } });
  }

  /**
   * Stores a password in the caller's transaction, which must hold the lock of the user's row.
   * @param hash from `UserService.validateAndHashPassword`
   */
  async replacePassword(em: EntityManager, user: User, hash: string): Promise<void> {
    await this.users.updateUser(em, user, { password: hash });
    await this.revokeOtherAccess(em, user);
  }

  /**
   * Revokes everything else that could give access after a password change: sessions, API tokens, temporary passwords,
   * and emailed links to reset the password, sign in or change the address. Call it after flushing the password: a
   * concurrent sign-in with the old one waits for the user's row and then finds the password changed.
   */
  async revokeOtherAccess(em: EntityManager, user: User): Promise<void> {
    await this.sessions.endAllSessions(em, user.id);
    await this.apiTokens.deleteTokensOf(em, user.id);
    await this.tokens.revokeTokens(em, { email: user.email, purpose: 'reset-password' });
    await this.tokens.revokeTokens(em, { email: user.email, purpose: 'reset-password', subject: ACCOUNT_INVITATION });
    await this.tokens.revokeTokens(em, { email: user.email, purpose: 'sign-in' });
    await this.codes.revokeCodes(em, user.email, 'sign-in');
    await this.tokens.revokeTokensOfSubject(em, 'change-email', String(user.id));
    await this.temporaryPasswords.revokeAll(em, user.email);
  }
}
