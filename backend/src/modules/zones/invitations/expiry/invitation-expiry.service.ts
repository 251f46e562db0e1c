import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../../platform/jobs/running/for-each-isolated.js';
import { InvitationSchema } from '../../entities/invitation.entity.js';
import { expireInvitations, purgeInvitations, notifyUndeliverableInvitations } from '../../zones.jobs.js';
import { InvitationQuotaService } from '../invitation-quota.service.js';

const BATCH_SIZE = 500;
/**
 * Used and expired invitations are kept, so that a late click gets an explanation and the owner can send them again.
 */
const RETENTION = 30 * DAY;

interface UndeliverableInvitation {
  readonly email: string;
  readonly ownerId: string;
  readonly inviterId: string;
  readonly wasCounted: boolean;
}

/**
 * Ends invitations that have expired or whose email bounced, and releases their quota. Expired ones are already
 * rejected from the moment of expiry.
 */
@Injectable()
export class InvitationExpiryService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Releases the quota of expired invitations, owner by owner and in batches; a failure for one owner does not affect
   * others. Concurrent workers release each invitation only once.
   * @param zoneId only this zone
   */
  async expireInvitations(zoneId: number | null = null, signal?: AbortSignal): Promise<void> {
    const expireOfOwner = async (ownerId: number) => {
      for (let expired = BATCH_SIZE; expired === BATCH_SIZE;) {
        signal?.throwIfAborted();
        expired = await inTransaction(this.em.fork(), (em) => this.expireBatch(em, ownerId, zoneId));
      }
    };
    await forEachIsolated(await this.findOwnersWithExpired(zoneId), expireOfOwner, signal, (ownerId) => ({ ownerId }));
  }

  /**
   * Ends an invitation whose email was permanently rejected: releases its quota, invalidates its link and notifies the
   * inviter. Does nothing if it was used, revoked or sent again in the meantime.
   * @param digest digest of the token in the rejected email
   */
  markUndeliverable(invitationId: number, digest: string): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const { rows } = await sql<UndeliverableInvitation>`
        with open as (
          select i.id, i.is_counted, z.owner_id, coalesce(i.invited_by_id, z.owner_id) as inviter_id
          from invitations i join zones z on z.id = i.zone_id
          where i.id = ${invitationId} and i.digest = ${digest} and not i.used for update of i
        )
        update invitations set digest = null, password_digest = null, is_counted = false, is_notice_due = true,
          undeliverable_at = ${this.clock.now()}
        from open where invitations.id = open.id
        returning invitations.email, open.owner_id as "ownerId", open.inviter_id as "inviterId",
          open.is_counted as "wasCounted"`.execute(query<typeof InvitationSchema>(em));
      const [ended] = rows;
      if (!ended) return;
      await this.jobs.enqueue(em, notifyUndeliverableInvitations, { inviterId: Number(ended.inviterId) });
      if (ended.wasCounted) await this.invitationQuota.releaseInvitations(em, Number(ended.ownerId), [ended.email]);
    });
  }

  /** Deletes invitations that were used or expired 30 days ago. */
  @OnJob(purgeInvitations)
  async purgeOldInvitations(): Promise<void> {
    const before = addMilliseconds(this.clock.now(), -RETENTION);
    await query<typeof InvitationSchema>(this.em)
      .deleteFrom('invitations')
      .where('is_counted', '=', false)
      .where('is_notice_due', '=', false)
      .where('expires_at', '<=', before)
      .execute();
  }

  @OnJob(expireInvitations)
  expireAllInvitations(_: object, { signal }: JobContext): Promise<void> {
    return this.expireInvitations(null, signal);
  }

  private async findOwnersWithExpired(zoneId: number | null): Promise<number[]> {
    const { rows } = await sql<{ ownerId: string }>`
      select distinct z.owner_id as "ownerId" from invitations i join zones z on z.id = i.zone_id
      where i.is_counted and i.expires_at <= ${this.clock.now()}
        and (${zoneId}::bigint is null or i.zone_id = ${zoneId}::bigint)
      order by 1`.execute(query<typeof InvitationSchema>(this.em));
    return rows.map(({ ownerId }) => Number(ownerId));
  }

  private async expireBatch(em: EntityManager, ownerId: number, zoneId: number | null): Promise<number> {
    const { rows } = await sql<{ email: string }>`
      with due as (
        select i.id, i.email from invitations i join zones z on z.id = i.zone_id
        where i.is_counted and i.expires_at <= ${this.clock.now()} and z.owner_id = ${ownerId}
          and (${zoneId}::bigint is null or i.zone_id = ${zoneId}::bigint)
        order by i.id limit ${BATCH_SIZE} for update of i skip locked
      )
      update invitations set is_counted = false from due where invitations.id = due.id
      returning due.email
    `.execute(query<typeof InvitationSchema>(em));
    const emails = rows.map(({ email }) => email);
    if (emails.length > 0) await this.invitationQuota.releaseInvitations(em, ownerId, emails);
    return emails.length;
  }
}
