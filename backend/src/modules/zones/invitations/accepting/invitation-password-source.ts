import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../../../platform/database/query.js';
import {
  TemporaryPasswordPort,
  type TemporaryPassword,
  type TemporaryPasswordSource,
} from '../../../auth/passwords/temporary-password.port.js';
import { InvitationSchema } from '../../entities/invitation.entity.js';

/** Temporary passwords of invitations, including used ones, so that an interrupted newcomer can return. */
@Injectable()
export class InvitationPasswordSource implements TemporaryPasswordSource, OnModuleInit {
  /** An account that was never used may have been created by an import, a purchase or an administrator. */
  readonly provesUnusedAccounts = false;

  constructor(
    private readonly em: EntityManager,
    private readonly port: TemporaryPasswordPort,
  ) {}

  onModuleInit(): void {
    this.port.registerSource(this);
  }

  /**
   * Returns the digests of the temporary passwords of an address's invitations, including expired ones.
   * @param email in lower case
   */
  async listByEmail(email: string): Promise<TemporaryPassword[]> {
    const rows = await query<typeof InvitationSchema>(this.em)
      .selectFrom('invitations')
      .select(['password_digest as digest', 'expires_at as expiresAt'])
      .where('email', '=', email)
      .where('password_digest', 'is not', null)
      .execute();
    return rows.map(({ digest, expiresAt }) => ({ digest: digest!, expiresAt }));
  }

  /**
   * Revokes the temporary passwords in the caller's transaction, after the person has set their own. The invitations
   * stay.
   */
  async revokeAll(em: EntityManager, email: string): Promise<void> {
    await query<typeof InvitationSchema>(em)
      .updateTable('invitations')
      .set({ password_digest: null })
      .where('email', '=', email)
      .where('password_digest', 'is not', null)
      .execute();
  }
}
