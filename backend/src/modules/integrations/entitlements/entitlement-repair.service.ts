import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneFullService } from '../../zones/zone/zone-full.service.js';
import { CustomerZoneService, type CustomerZone } from './customer-zone.service.js';
import { EntitlementRows } from './entitlement-rows.service.js';
import { EntitlementSchema } from '../entities/entitlement.entity.js';
import { OrderTroubles } from '../troubles/order-troubles.service.js';
import { integrationErrors } from '../integrations.errors.js';
import type { Source } from '../shared/sources.js';
import { tellPurchase } from '../integrations.jobs.js';

/** What operators do by hand with what was bought. */
@Injectable()
export class EntitlementRepairService {
  constructor(
    private readonly em: EntityManager,
    private readonly zones: CustomerZoneService,
    private readonly rows: EntitlementRows,
    private readonly zoneFull: ZoneFullService,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
    private readonly troubles: OrderTroubles,
  ) {}

  /**
   * Takes back what was bought, and the membership with it when nothing else that was bought gives it. No news of it
   * being paid gives it again, unless the sender itself has ended it before. Nothing happens to what is taken back already.
   * @param actorId the admin
   * @throws ENTITLEMENT_NOT_FOUND
   */
  revoke(source: Source, id: number, actorId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const { row, zone } = await this.find(em, source, id);
      if (row.state === 'revoked') return;
      await this.rows.write(em, id, { state: 'revoked', isTakenBack: true, isNoticeDue: false });
      await this.troubles.decide(em, id);
      if (row.state === 'granted' && row.userId !== null) await this.zones.takeBack(em, zone, row.userId);
      const params = { entitlementId: id, zoneId: zone.id };
      await this.audit.record(em, { type: 'purchase.revoked', actorId, subjectId: row.userId, params });
    });
  }

  /**
   * Gives back what was taken back by hand, and tells the customer. Nothing happens to what is given already.
   * @param actorId the admin
   * @throws ENTITLEMENT_NOT_FOUND, ENTITLEMENT_ENDED for what the sender has ended or whose customer is gone, ZONE_FULL
   */
  async restore(source: Source, id: number, actorId: number): Promise<void> {
    const { zone } = await this.find(this.em, source, id);
    await this.zoneFull.guard(zone.ownerId, null, () =>
      inTransaction(this.em, async (em) => {
        const { row } = await this.find(em, source, id);
        if (row.state !== 'revoked') return;
        if (!row.isTakenBack || row.userId === null || !(await this.isThere(em, row.userId))) {
          throw integrationErrors.ENTITLEMENT_ENDED();
        }
        const params = { entitlementId: id, zoneId: zone.id };
        await this.audit.record(em, { type: 'purchase.restored', actorId, subjectId: row.userId, params });
        const joined = await this.zones.admit(em, zone, row.userId);
        await this.rows.write(em, id, { state: 'granted', isTakenBack: false, isNoticeDue: joined });
        if (joined) await this.jobs.enqueue(em, tellPurchase, { userId: row.userId });
      }),
    );
  }

  /**
   * Lets go of what somebody bought whose account is deleted. No later news of the same purchase makes the account anew.
   * @param userId of the deleted account
   */
  async release(em: EntityManager, userId: number): Promise<void> {
    await query<typeof EntitlementSchema>(em)
      .updateTable('entitlements')
      .set({ is_taken_back: true, is_notice_due: false, state: 'revoked' })
      .where('user_id', '=', userId)
      .where('state', '!=', 'revoked')
      .execute();
  }

  private async find(em: EntityManager, source: Source, id: number) {
    const row = await this.rows.lockById(em, source, id);
    const zone: CustomerZone | null | undefined = row && (await this.zones.find(em, row.zoneId));
    if (!row || !zone) throw integrationErrors.ENTITLEMENT_NOT_FOUND();
    return { row, zone };
  }

  private async isThere(em: EntityManager, userId: number): Promise<boolean> {
    const row = await query<typeof UserSchema>(em)
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('erased_at', 'is', null)
      .executeTakeFirst();
    return row !== undefined;
  }
}
