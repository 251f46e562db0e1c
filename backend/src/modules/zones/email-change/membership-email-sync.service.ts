import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AudienceRepository } from '../members/audience.repository.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { memberSortKeys, ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { sendInvitation } from '../zones.jobs.js';

type Tables = typeof InvitationSchema | typeof ZoneMemberSchema | typeof ZoneSchema;

interface InvitationRow {
  readonly id: number;
  readonly zoneId: number;
  readonly ownerId: number;
  readonly email: string;
  readonly used: boolean;
  readonly isCounted: boolean;
  readonly isOpen: boolean;
  /** True if the person is already a member of the zone. */
  readonly isMember: boolean;
}

/**
 * Applies a changed email address to everything zones store by address: memberships, audiences and invitations. A
 * person counted under both addresses is merged and the freed quota released. Locks rows in the order used for all
 * membership changes: zones, invitations, members, audience, usage.
 */
@Injectable()
export class MembershipEmailSyncService {
  constructor(
    private readonly clock: Clock,
    private readonly audience: AudienceRepository,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly jobs: JobsService,
  ) {}

  /** Updates the sort and search keys of a person's memberships after a change of name. */
  @OnEvent('user.renamed')
  async updateNameKeys(em: EntityManager, { user }: DomainEvents['user.renamed']): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_members')
      .set(memberSortKeys(user))
      .where('user_id', '=', user.id)
      .execute();
  }

  @OnEvent('user.emailChanged')
  async onEmailChanged(em: EntityManager, { user, from }: DomainEvents['user.emailChanged']): Promise<void> {
    await this.lockZones(em, user, from);
    await this.lockInvitations(em, user, from);
    await query<Tables>(em)
      .updateTable('zone_members')
      .set({ email: user.email, ...memberSortKeys(user) })
      .where('user_id', '=', user.id)
      .execute();
    const merged = await this.audience.mergeOnEmailChange(em, user, from);
    // Queried again after the audience is locked: invitations inserted in the meantime are visible now and counted in
    // the merged row.
    const dropped = await this.moveInvitations(em, user, await this.lockInvitations(em, user, from));
    await this.releaseQuota(em, user.email, merged, dropped);
  }

  /** Prevents the zones from being deleted in the meantime, because a deletion updates counters by email address. */
  private async lockZones(em: EntityManager, user: User, from: string): Promise<void> {
    await sql`
      select id from zones where deleted_at is null and (
        id in (select zone_id from zone_members where user_id = ${user.id})
        or id in (select zone_id from invitations where email in (${from}, ${user.email})))
      order by id for share`.execute(query<Tables>(em));
  }

  private async lockInvitations(em: EntityManager, user: User, from: string): Promise<InvitationRow[]> {
    const now = this.clock.now();
    const { rows } = await sql<InvitationRow>`
      select i.id, i.zone_id as "zoneId", z.owner_id as "ownerId", i.email, i.used, i.is_counted as "isCounted",
        not i.used and i.expires_at > ${now} as "isOpen",
        exists (select from zone_members m where m.zone_id = i.zone_id and m.user_id = ${user.id}
          and (m.expires_at is null or m.expires_at > ${now})) as "isMember"
      from invitations i join zones z on z.id = i.zone_id
      where i.email in (${from}, ${user.email}) order by i.id for update of i`.execute(query<Tables>(em));
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      zoneId: Number(row.zoneId),
      ownerId: Number(row.ownerId),
    }));
  }

  /**
   * Moves invitations from the old address to the new one. Open ones are sent again, because their links are in the old
   * mailbox. Deletes obsolete ones: into a zone the person is already a member of, or that has invited the new address
   * too.
   * @returns the deleted invitations
   */
  private async moveInvitations(em: EntityManager, user: User, rows: InvitationRow[]): Promise<InvitationRow[]> {
    const isToNewEmail = (row: InvitationRow) => row.email === user.email;
    const obsolete = rows.filter((row) => row.isMember && !row.used);
    const remaining = rows.filter((row) => !obsolete.includes(row));
    const invitedTwice = new Set(remaining.filter(isToNewEmail).map(({ zoneId }) => zoneId));
    const duplicates = remaining.filter((row) => !isToNewEmail(row) && invitedTwice.has(row.zoneId));
    const dropped = [...obsolete, ...duplicates];
    const moving = remaining.filter((row) => !isToNewEmail(row) && !duplicates.includes(row));
    await this.deleteInvitations(em, dropped);
    if (moving.length === 0) return dropped;
    const ids = moving.map(({ id }) => id);
    await query<Tables>(em)
      .updateTable('invitations')
      .set({ email: user.email, digest: null, password_digest: null })
      .where('id', 'in', ids)
      .execute();
    for (const { id } of moving.filter(({ isOpen }) => isOpen)) {
      await this.jobs.enqueue(em, sendInvitation, { invitationId: id });
    }
    return dropped;
  }

  private async deleteInvitations(em: EntityManager, rows: InvitationRow[]): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await query<Tables>(em).deleteFrom('invitations').where('id', 'in', ids).execute();
  }

  /** Must be called last, because it keeps the usage of owners locked until the commit. */
  private async releaseQuota(
    em: EntityManager,
    email: string,
    merged: number[],
    dropped: InvitationRow[],
  ): Promise<void> {
    const quotaByOwner = new Map<number, number>(merged.map((ownerId) => [ownerId, 1]));
    const counted = dropped.filter(({ isCounted }) => isCounted);
    const owners = [...new Set(counted.map(({ ownerId }) => ownerId))].sort((a, b) => a - b);
    for (const ownerId of owners) {
      const emails = counted.filter((row) => row.ownerId === ownerId).map(() => email);
      const removed = await this.invitationQuota.decrementPendingInvitations(em, ownerId, emails);
      quotaByOwner.set(ownerId, (quotaByOwner.get(ownerId) ?? 0) + removed);
    }
    for (const ownerId of [...quotaByOwner.keys()].sort((a, b) => a - b)) {
      await this.invitationQuota.releasePeopleQuota(em, ownerId, quotaByOwner.get(ownerId)!);
    }
  }
}
