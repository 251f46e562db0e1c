import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { InvitationPlaces } from './invitation-places.service.js';

const BATCH = 500;
/** Used and expired invitations stay, so that a late click is told what happened and the owner can send it again. */
const KEEP = 30 * DAY;

/** The end of invitations by time. They are refused from that instant; this gives their places back. */
@Injectable()
export class InvitationExpiry {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly places: InvitationPlaces,
  ) {}

  /**
   * Frees the places of expired invitations, in batches. Several workers at it free each place once.
   * @param zoneId only of this zone
   */
  async free(zoneId: number | null = null, signal?: AbortSignal): Promise<void> {
    for (let freed = BATCH; freed === BATCH;) {
      signal?.throwIfAborted();
      freed = await inTransaction(this.em, (em) => this.freeBatch(em, zoneId));
    }
  }

  /** Removes those that were used or ran out 30 days ago. */
  async purge(): Promise<void> {
    const before = after(this.clock.now(), -KEEP);
    await query<typeof InvitationSchema>(this.em)
      .deleteFrom('invitations')
      .where('is_counted', '=', false)
      .where('is_notice_due', '=', false)
      .where('expires_at', '<=', before)
      .execute();
  }

  private async freeBatch(em: EntityManager, zoneId: number | null): Promise<number> {
    const { rows } = await sql<{ ownerId: string; email: string }>`
      with due as (
        select i.id, i.email, z.owner_id from invitations i join zones z on z.id = i.zone_id
        where i.is_counted and i.expires_at <= ${this.clock.now()}
          and (${zoneId}::bigint is null or i.zone_id = ${zoneId}::bigint)
        order by i.id limit ${BATCH} for update of i skip locked
      )
      update invitations set is_counted = false from due where invitations.id = due.id
      returning due.owner_id as "ownerId", due.email
    `.execute(query<typeof InvitationSchema>(em));
    const byOwner = Map.groupBy(rows, ({ ownerId }) => Number(ownerId));
    for (const ownerId of [...byOwner.keys()].sort((a, b) => a - b)) {
      const emails = byOwner.get(ownerId)!.map(({ email }) => email);
      await this.places.release(em, ownerId, emails);
    }
    return rows.length;
  }
}
