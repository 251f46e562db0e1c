import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../../../platform/database/query.js';
import {
  TemporaryPasswordPort,
  type TemporaryPassword,
  type TemporaryPasswordSource,
} from '../../../auth/passwords/temporary-password.port.js';
import { InvitationSchema } from '../../entities/invitation.entity.js';

/** The temporary passwords that hang on invitations, also on used ones: an interrupted newcomer can come back. */
@Injectable()
export class InvitationPasswordSource implements TemporaryPasswordSource, OnModuleInit {
  /** An account that exists without having been used was created by an import, a purchase or an administrator. */
  readonly provesUnusedAccounts = false;

  constructor(
    private readonly em: EntityManager,
    private readonly port: TemporaryPasswordPort,
  ) {}

  onModuleInit(): void {
    this.port.registerSource(this);
  }

  /** Digests of the temporary passwords of an address's invitations; expired ones too. @param email in lower case */
  async listByEmail(email: string): Promise<TemporaryPassword[]> {
    const rows = await query<typeof InvitationSchema>(this.em)
      .selectFrom('invitations')
      .select(['password_digest as digest', 'expires_at as expiresAt'])
      .where('email', '=', email)
      .where('password_digest', 'is not', null)
      .execute();
    return rows.map(({ digest, expiresAt }) => ({ digest: digest!, expiresAt }));
  }

  /** Ends them, in the caller's transaction: the person has set a password of their own. The invitations stay. */
  async revokeAll(em: EntityManager, email: string): Promise<void> {
    await query<typeof InvitationSchema>(em)
      .updateTable('invitations')
      .set({ password_digest: null })
      .where('email', '=', email)
      .where('password_digest', 'is not', null)
      .execute();
  }
}
