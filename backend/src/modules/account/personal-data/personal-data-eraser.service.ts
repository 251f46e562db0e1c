import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { BillingHistory } from '../../billing/history/billing-history.service.js';
import { CollectionService } from '../../billing/subscriptions/collection.service.js';
import { CampaignEnds } from '../../campaigns/sending/campaign-ends.service.js';
import { UploadReservations } from '../../files/upload/upload-reservations.service.js';
import { EntitlementRepairService } from '../../integrations/entitlements/entitlement-repair.service.js';
import { VoteService } from '../../suggestions/vote.service.js';
import { InvitationPlaces } from '../../zones/invitations/invitation-places.service.js';
import { MemberRemover } from '../../zones/leaving/member-remover.service.js';
import { SuppressionService } from '../../zones/leaving/suppression.service.js';
import { ZoneRemovalService } from '../../zones/zone/zone-removal.service.js';
import { personalData } from './personal-data.map.js';
import type { ErasedPerson, Erasure, ErasureStep } from './personal-table.js';

/** Rows removed by one statement where there may be many. */
const BATCH = 1000;

type Sql = RawBuilder<unknown>;

/** False when jobs under way have to end first. */
type Step = (person: ErasedPerson, signal: AbortSignal) => Promise<boolean | void>;

/** Removes what is held of somebody whose account is gone, as the map of personal data says. */
@Injectable()
export class PersonalDataEraser {
  constructor(
    private readonly em: EntityManager,
    private readonly suppressions: SuppressionService,
    private readonly zones: ZoneRemovalService,
    private readonly members: MemberRemover,
    private readonly invitations: InvitationPlaces,
    private readonly uploads: UploadReservations,
    private readonly collection: CollectionService,
    private readonly billing: BillingHistory,
    private readonly votes: VoteService,
    private readonly campaigns: CampaignEnds,
    private readonly purchases: EntitlementRepairService,
  ) {}

  /**
   * Does all that the map names, in its order and in transactions of its own. Called again after a crash, or twice at
   * once: doing it again does no harm.
   * @param signal aborted when the worker stops: it leaves off then
   * @returns false when jobs under way have to end first: ask again later
   */
  async erase(person: ErasedPerson, signal: AbortSignal): Promise<boolean> {
    let isDone = true;
    for (const { table, erased } of personalData) {
      for (const erasure of erased) {
        signal.throwIfAborted();
        if ((await this.follow(table, erasure, person, signal)) === false) isDone = false;
      }
    }
    return isDone;
  }

  private async follow(table: string, erasure: Erasure, person: ErasedPerson, signal: AbortSignal) {
    if (typeof erasure === 'string') return;
    if ('step' in erasure) return this.steps[erasure.step](person, signal);
    if ('blank' in erasure) {
      const columns = erasure.blank.split(' ').map((column) => `${column} = null`);
      const from = sql.table(erasure.in ?? table);
      await this.run(sql`update ${from} set ${sql.raw(columns.join(', '))} where ${erasure.of(person)}`);
    } else if ('remove' in erasure) {
      const rows = sql`from ${sql.table(erasure.in ?? table)} where ${erasure.of(person)}`;
      if (erasure.remove === 'at once') await this.run(sql`delete ${rows}`);
      else await this.removeInBatches(sql.table(table), rows, sql.raw(erasure.by), signal);
    }
  }

  private readonly steps: Record<ErasureStep, Step> = {
    noteAddress: ({ email }) => this.suppressions.add(this.em.fork(), null, email, 'erased'),
    deleteZones: ({ id }, signal) => this.zones.deleteAllOf(id, signal),
    leaveZones: ({ id }, signal) => this.members.removeFromAll(this.em.fork(), id, signal),
    removeInvitations: ({ email, requestedAt }, signal) =>
      this.invitations.removeAllTo(this.em.fork(), email, requestedAt, signal),
    abandonUploads: ({ id }, signal) => this.uploads.abandonAllOf(this.em.fork(), id, signal),
    // A failure is thrown, so that nobody goes on paying for an account that is gone.
    endSubscription: async ({ id }) => {
      await this.collection.align(id);
      await this.billing.noteEnd(this.em.fork(), id);
    },
    withdrawVotes: ({ id }) => inTransaction(this.em.fork(), (em) => this.votes.removeAllOf(em, id)),
    removeReports: ({ id }, signal) => this.campaigns.removeReports(id, signal),
    releasePurchases: ({ id }) => this.purchases.release(this.em.fork(), id),
  };

  private async removeInBatches(table: Sql, rows: Sql, key: Sql, signal: AbortSignal): Promise<void> {
    for (let removed = BATCH; removed === BATCH;) {
      signal.throwIfAborted();
      removed = await this.run(sql`delete from ${table} where (${key}) in (select ${key} ${rows} limit ${BATCH})`);
    }
  }

  private async run(statement: Sql): Promise<number> {
    return Number((await statement.execute(query(this.em.fork()))).numAffectedRows ?? 0);
  }
}
