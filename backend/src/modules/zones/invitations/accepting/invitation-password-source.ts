import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  TemporaryPasswordPort,
  type TemporaryPassword,
  type TemporaryPasswordSource,
} from '../../../auth/passwords/temporary-password.port.js';
import { InvitationRepository } from '../invitation.repository.js';

/** Temporary passwords of invitations, including used ones, so that an interrupted newcomer can return. */
@Injectable()
export class InvitationPasswordSource implements TemporaryPasswordSource, OnModuleInit {
  /** An account that was never used may have been created by an import, a purchase or an administrator. */
  readonly provesUnusedAccounts = false;

  constructor(
    private readonly invitations: InvitationRepository,
    private readonly port: TemporaryPasswordPort,
  ) {}

  onModuleInit(): void {
    this.port.registerSource(this);
  }

  /**
   * Returns the digests of the temporary passwords of an address's invitations, including expired ones.
   * @param email in lower case
   */
  listByEmail(email: string): Promise<TemporaryPassword[]> {
    return this.invitations.findTemporaryPasswords(email);
  }

  /**
   * Revokes the temporary passwords in the caller's transaction, after the person has set their own. The invitations
   * stay.
   */
  revokeAll(em: EntityManager, email: string): Promise<void> {
    return this.invitations.deleteTemporaryPasswords(em, email);
  }
}
