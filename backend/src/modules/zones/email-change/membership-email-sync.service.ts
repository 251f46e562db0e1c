import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AudienceRepository } from '../members/audience.repository.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { InvitationRepository, type AddressedInvitation } from '../invitations/invitation.repository.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { sendInvitation } from '../zones.jobs.js';

/**
 * Applies a changed email address to everything zones store by address: memberships, audiences and invitations. A
 * person counted under both addresses is merged and the freed quota released. Locks rows in the order used for all
 * membership changes: zones, invitations, members, audience, usage.
 */
@Injectable()
export class MembershipEmailSyncService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly invitations: InvitationRepository,
    private readonly memberships: MembershipRepository,
    private readonly audience: AudienceRepository,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly jobs: JobsService,
  ) {}

  /** Updates the sort and search keys of a person's memberships after a change of name. */
  @OnEvent('user.renamed')
  async updateNameKeys(em: EntityManager, { user }: DomainEvents['user.renamed']): Promise<void> {
    await this.memberships.updateSortKeys(em, user);
  }

  @OnEvent('user.emailChanged')
  async onEmailChanged(em: EntityManager, { user, from }: DomainEvents['user.emailChanged']): Promise<void> {
    await this.zones.lockZonesOfPerson(em, user, from);
    await this.invitations.lockInvitationsTo(em, user, from);
    await this.memberships.updateEmail(em, user);
    const merged = await this.audience.mergeOnEmailChange(em, user, from);
    // Queried again after the audience is locked: invitations inserted in the meantime are visible now and counted in
    // the merged row.
    const dropped = await this.moveInvitations(em, user, await this.invitations.lockInvitationsTo(em, user, from));
    await this.releaseQuota(em, user.email, merged, dropped);
  }

  /**
   * Moves invitations from the old address to the new one. Open ones are sent again, because their links are in the old
   * mailbox. Deletes obsolete ones: into a zone the person is already a member of, or that has invited the new address
   * too.
   * @returns the deleted invitations
   */
  private async moveInvitations(
    em: EntityManager,
    user: User,
    rows: AddressedInvitation[],
  ): Promise<AddressedInvitation[]> {
    const isToNewEmail = (row: AddressedInvitation) => row.email === user.email;
    const obsolete = rows.filter((row) => row.isMember && !row.used);
    const remaining = rows.filter((row) => !obsolete.includes(row));
    const invitedTwice = new Set(remaining.filter(isToNewEmail).map(({ zoneId }) => zoneId));
    const duplicates = remaining.filter((row) => !isToNewEmail(row) && invitedTwice.has(row.zoneId));
    const dropped = [...obsolete, ...duplicates];
    const moving = remaining.filter((row) => !isToNewEmail(row) && !duplicates.includes(row));
    await this.invitations.deleteInvitations(
      em,
      dropped.map(({ id }) => id),
    );
    if (moving.length === 0) return dropped;
    const ids = moving.map(({ id }) => id);
    await this.invitations.moveInvitations(em, ids, user.email);
    for (const { id } of moving.filter(({ isOpen }) => isOpen)) {
      await this.jobs.enqueue(em, sendInvitation, { invitationId: id });
    }
    return dropped;
  }

  /** Must be called last, because it keeps the usage of owners locked until the commit. */
  private async releaseQuota(
    em: EntityManager,
    email: string,
    merged: number[],
    dropped: AddressedInvitation[],
  ): Promise<void> {
    const quotaByOwner = new Map<number, number>(merged.map((ownerId) => [ownerId, 1]));
    const counted = dropped.filter(({ isCounted }) => isCounted);
    const owners = [...new Set(counted.map(({ ownerId }) => ownerId))].sort((a, b) => a - b);
    for (const ownerId of owners) {
      const emails = counted.filter((row) => row.ownerId === ownerId).map(() => email);
      const removed = await this.audience.decrementPendingInvitations(em, ownerId, emails);
      quotaByOwner.set(ownerId, (quotaByOwner.get(ownerId) ?? 0) + removed);
    }
    for (const ownerId of [...quotaByOwner.keys()].sort((a, b) => a - b)) {
      await this.invitationQuota.releasePeopleQuota(em, ownerId, quotaByOwner.get(ownerId)!);
    }
  }
}
