import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { BillingHistoryRepository } from '../../billing/history/billing-history.repository.js';
import { PaymentCollectionService } from '../../billing/subscriptions/payment-collection.service.js';
import { CampaignCleanupService } from '../../campaigns/sending/campaign-cleanup.service.js';
import { UploadReservationService } from '../../files/upload/upload-reservation.service.js';
import { EntitlementRepository } from '../../integrations/entitlements/entitlement.repository.js';
import { VoteService } from '../../suggestions/vote.service.js';
import { InvitationQuotaService } from '../../zones/invitations/invitation-quota.service.js';
import { MemberRemovalService } from '../../zones/leaving/member-removal.service.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { ZoneDeletionService } from '../../zones/zone/zone-deletion.service.js';
import { PersonalDataRepository } from './personal-data.repository.js';
import { personalData } from './personal-data.sql.js';
import type { BatchErasure, ErasedDataSubject, ErasureRule, ErasureStep } from './personal-table.sql.js';

/** Rows deleted per statement where there may be many. */
const BATCH_SIZE = 1000;

/** Returns false if running jobs must end first. */
type ErasureStepHandler = (person: ErasedDataSubject, signal: AbortSignal) => Promise<boolean | void>;

/** Erases the data of a user whose account is deleted, as `personalData` specifies. */
@Injectable()
export class PersonalDataErasureService {
  constructor(
    private readonly em: EntityManager,
    private readonly personalRows: PersonalDataRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly zones: ZoneDeletionService,
    private readonly members: MemberRemovalService,
    private readonly invitations: InvitationQuotaService,
    private readonly uploads: UploadReservationService,
    private readonly paymentCollection: PaymentCollectionService,
    private readonly billingHistory: BillingHistoryRepository,
    private readonly votes: VoteService,
    private readonly campaigns: CampaignCleanupService,
    private readonly entitlementAdmin: EntitlementRepository,
  ) {}

  /**
   * Applies all rules of the map in order, in separate transactions. Idempotent, also when it runs twice concurrently.
   * @param signal aborted when the worker stops; the erasure then stops too
   * @returns false if running jobs must end first and the caller must retry later
   */
  async eraseAll(person: ErasedDataSubject, signal: AbortSignal): Promise<boolean> {
    let isDone = true;
    for (const { table, erased } of personalData) {
      for (const erasure of erased) {
        signal.throwIfAborted();
        if ((await this.applyRule(table, erasure, person, signal)) === false) isDone = false;
      }
    }
    return isDone;
  }

  private async applyRule(table: string, erasure: ErasureRule, person: ErasedDataSubject, signal: AbortSignal) {
    if (typeof erasure === 'string') return;
    if ('step' in erasure) return this.steps[erasure.step](person, signal);
    if ('blank' in erasure) return this.personalRows.clearColumns(table, erasure, person);
    if (!('remove' in erasure)) return;
    if (erasure.remove === 'at once') return this.personalRows.deleteRows(table, erasure, person);
    return this.deleteInBatches(table, erasure, person, signal);
  }

  private readonly steps: Record<ErasureStep, ErasureStepHandler> = {
    noteAddress: ({ email }) => this.suppressions.addSuppression(this.em.fork(), null, email, 'erased'),
    deleteZones: ({ id }, signal) => this.zones.deleteAllOwnedBy(id, signal),
    leaveZones: ({ id }, signal) => this.members.removeFromAllZones(this.em.fork(), id, signal),
    removeInvitations: ({ email, requestedAt }, signal) =>
      this.invitations.deleteInvitationsTo(this.em.fork(), email, requestedAt, signal),
    abandonUploads: ({ id }, signal) => this.uploads.abandonAllOfUser(this.em.fork(), id, signal),
    // Failures are thrown, so that nobody keeps paying for a deleted account.
    endSubscription: async ({ id }) => {
      await this.paymentCollection.syncCollection(id);
      await this.billingHistory.insertSubscriptionEnd(this.em.fork(), id);
    },
    withdrawVotes: ({ id }) => inTransaction(this.em.fork(), (em) => this.votes.removeAllVotesOf(em, id)),
    removeReports: ({ id }, signal) => this.campaigns.deleteReports(id, signal),
    releasePurchases: ({ id }) => this.entitlementAdmin.revokeAllOfUser(this.em.fork(), id),
  };

  private async deleteInBatches(
    table: string,
    erasure: BatchErasure,
    person: ErasedDataSubject,
    signal: AbortSignal,
  ): Promise<void> {
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;) {
      signal.throwIfAborted();
      deleted = await this.personalRows.deleteBatch(table, erasure, person, BATCH_SIZE);
    }
  }
}
