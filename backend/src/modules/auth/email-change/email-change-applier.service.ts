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

/** Replaces a user's email address wherever it is stored. */
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
   * Changes the address in the caller's transaction, which must hold the lock of the user's row. Everything sent to the
   * old mailbox becomes void: links, codes, temporary passwords and other pending changes.
   * @param verified whether the user has proved that the new address is theirs
   * @throws EMAIL_TAKEN on the unique constraint; the transaction is then aborted
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
    // Undo links of earlier changes stay valid: they may be all the real owner has left.
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
