import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { isUniqueViolation } from '../../../platform/database/constraint-violations.js';
import { EmailVerificationSchema, SingleUseTokenSchema } from '../entities/single-use-token.entity.js';
import type { User } from '../entities/user.entity.js';
import { PendingIdentityLinkSchema } from '../single-sign-on/entities/external-identity.entity.js';
import { PendingSignInSchema } from '../sign-in/pending-sign-in.entity.js';
import { SingleUseTokenService } from '../tokens/single-use-token.service.js';
import { TemporaryPasswordPort } from '../passwords/temporary-password.port.js';
import { UserService } from '../users/user.service.js';
import { emailChangeErrors } from '../auth.errors.js';

type Tables =
  | typeof SingleUseTokenSchema
  | typeof EmailVerificationSchema
  | typeof PendingIdentityLinkSchema
  | typeof PendingSignInSchema;

/** Puts another address in the place of the present one, wherever it is copied. */
@Injectable()
export class EmailChangeApplierService {
  constructor(
    private readonly clock: Clock,
    private readonly users: UserService,
    private readonly tokens: SingleUseTokenService,
    private readonly temporaryPasswords: TemporaryPasswordPort,
    private readonly events: EventBus,
  ) {}

  /**
   * Moves somebody to another address, in the caller's transaction, which holds the lock of the person's row. What lies in
   * the old mailbox opens nothing any more: links, codes, temporary passwords and other changes under way are void.
   * @param verified whether it has been shown that the address is theirs
   * @throws EMAIL_TAKEN by the constraint; the transaction is of no use after it
   */
  async applyEmailChange(em: EntityManager, user: User, newEmail: string, verified: boolean): Promise<void> {
    const oldEmail = user.email;
    em.assign(user, { email: newEmail, emailVerified: verified, updatedAt: this.clock.now() });
    try {
      await em.flush();
    } catch (error) {
      if (isUniqueViolation(error, 'users_email_unique')) throw emailChangeErrors.EMAIL_TAKEN();
      throw error;
    }
    if (verified) await this.users.markEmailVerified(em, user);
    await em.flush();
    await this.revokeEmailedSecrets(em, user.id, oldEmail);
    await this.temporaryPasswords.revokeAll(em, oldEmail);
    await this.events.emit(em, 'user.emailChanged', { user, from: oldEmail });
  }

  private async revokeEmailedSecrets(em: EntityManager, userId: number, oldEmail: string): Promise<void> {
    const tables = query<Tables>(em);
    // Links to undo an earlier change stay: they are what the true owner has left.
    await tables
      .deleteFrom('single_use_tokens')
      .where('email', '=', oldEmail)
      .where('purpose', '!=', 'undo-email-change')
      .where('used_at', 'is', null)
      .execute();
    await this.tokens.revokeTokensOfSubject(em, 'change-email', String(userId));
    await tables.deleteFrom('email_verifications').where('email', '=', oldEmail).execute();
    await tables.deleteFrom('pending_identity_links').where('user_id', '=', userId).execute();
    await tables.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
  }
}
