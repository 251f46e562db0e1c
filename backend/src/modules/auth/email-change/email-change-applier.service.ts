import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { EventBus } from '../../../platform/events/event-bus.js';
import type { User } from '../entities/user.entity.js';
import { VerificationCodeRepository } from '../registration/verification-code.repository.js';
import { PendingSignInRepository } from '../sign-in/pending-sign-in.repository.js';
import { SingleSignOnRepository } from '../single-sign-on/single-sign-on.repository.js';
import { SingleUseTokenRepository } from '../tokens/single-use-token.repository.js';
import { TemporaryPasswordPort } from '../passwords/temporary-password.port.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService } from '../users/user.service.js';
import { emailChangeErrors } from '../auth.errors.js';

/** Replaces a user's email address wherever it is stored. */
@Injectable()
export class EmailChangeApplierService {
  constructor(
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly codes: VerificationCodeRepository,
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly singleSignOn: SingleSignOnRepository,
    private readonly tokens: SingleUseTokenRepository,
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
    const isFree = await this.userRepository.updateEmail(em, user, newEmail, verified);
    if (!isFree) throw emailChangeErrors.EMAIL_TAKEN();
    if (verified) await this.users.markEmailVerified(em, user);
    await this.userRepository.saveUsers(em);
    await this.revokeEmailedSecrets(em, user.id, oldEmail);
    await this.temporaryPasswords.revokeAll(em, oldEmail);
    await this.events.emit(em, 'user.emailChanged', { user, from: oldEmail });
  }

  private async revokeEmailedSecrets(em: EntityManager, userId: number, oldEmail: string): Promise<void> {
    // Undo links of earlier changes stay valid: they may be all the real owner has left.
    await this.tokens.revokeTokensOfEmail(em, oldEmail, 'undo-email-change');
    await this.tokens.revokeTokensOfSubject(em, 'change-email', String(userId));
    await this.codes.deleteCodesOf(em, oldEmail);
    await this.singleSignOn.deletePendingLinksOf(em, userId);
    await this.pendingSignIns.deletePendingSignInsOf(em, userId);
  }
}
