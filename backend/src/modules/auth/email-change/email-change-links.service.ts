import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { authErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { SingleUseTokenService, type StoredToken } from '../tokens/single-use-token.service.js';
import { UserService } from '../users/user.service.js';

/** A link that could be followed when it was looked at. */
export interface EmailChangeLink {
  readonly tokenId: number;
  readonly userId: number;
}

/** What the links of both mails about a change of address have in common: looked at freely, followed once. */
@Injectable()
export class EmailChangeLinksService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly tokens: SingleUseTokenService,
  ) {}

  /** The token of a link that can still be used, or null; unknown, used and expired ones are alike. */
  async findUsableToken(token: string, purpose: 'change-email' | 'undo-email-change'): Promise<StoredToken | null> {
    const found = await this.tokens.findToken(token, purpose);
    return found && !found.usedAt && !found.isExpired ? found : null;
  }

  /**
   * Uses a link and does what it is for, in one transaction that holds the lock of the person's row.
   * @param found null for a link that was of no use when it was looked at
   * @throws TOKEN_INVALID; of two clicks at once one gets it
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
