import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { TemporaryLinkSchema } from './entities/temporary-link.entity.js';
import { markExpiredLinks } from './mark-expired-links.job.js';

@Injectable()
@JobHandler(markExpiredLinks)
export class MarkExpiredLinksHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Each link is marked, and its end recorded, once. */
  async handle(): Promise<void> {
    const now = this.clock.now();
    await inTransaction(this.em, async (em) => {
      const ended = await query<typeof TemporaryLinkSchema>(em)
        .updateTable('temporary_links')
        .set({ expired_at: now })
        .where('expires_at', '<=', now)
        .where('expired_at', 'is', null)
        .returning(['id', 'zone_id'])
        .execute();
      for (const { id, zone_id: zoneId } of ended) {
        await this.audit.record(em, { type: 'temporary-link.expired', params: { zoneId, linkId: id } });
      }
    });
  }
}
