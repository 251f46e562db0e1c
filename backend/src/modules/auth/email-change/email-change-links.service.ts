import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { authErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { SingleUseTokenRepository, type StoredToken } from '../tokens/single-use-token.repository.js';
import { UserRepository } from '../users/user.repository.js';

/** A link that was usable when it was looked up. */
export interface EmailChangeLink {
  readonly tokenId: number;
  readonly userId: number;
}

/** Shared by the confirmation and undo links: looking at a link changes nothing, and it can be used once. */
@Injectable()
export class EmailChangeLinksService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly tokens: SingleUseTokenRepository,
  ) {}

  /** Returns the token of a usable link, or null. Unknown, used and expired tokens give the same result. */
  async findUsableToken(token: string, purpose: 'change-email' | 'undo-email-change'): Promise<StoredToken | null> {
    const found = await this.tokens.findToken(token, purpose);
    return found && !found.usedAt && !found.isExpired ? found : null;
  }

  /**
   * Uses a link and applies the change in one transaction that holds the lock of the user's row.
   * @param found null if the link was not usable when it was looked up
   * @throws TOKEN_INVALID; of two concurrent requests only one succeeds
   */
  async useLink<L extends EmailChangeLink>(
    found: L | null,
    applyChange: (em: EntityManager, user: User, found: L) => Promise<void>,
  ): Promise<void> {
    if (!found) throw authErrors.TOKEN_INVALID();
    await inTransaction(this.em, async (em) => {
      const user = await this.users.lockUser(em, found.userId);
      if (user.deactivatedAt) throw authErrors.TOKEN_INVALID();
      if (!(await this.tokens.consumeToken(em, found.tokenId))) throw authErrors.TOKEN_INVALID();
      await applyChange(em, user, found);
    });
  }
}
