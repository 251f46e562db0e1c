import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UsageService } from '../plans/usage.service.js';
import { ZonePurgePort } from '../zones/zone-purge.port.js';
import { deleteObjects } from './delete-objects.job.js';
import { FileSchema } from './entities/file.entity.js';

/** Files removed in one transaction. */
const BATCH = 500;

/** Removes files for good: rows and what they use of the plan in one transaction, their objects by a job after it. */
@Injectable()
export class FilePurgeService implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
    private readonly usage: UsageService,
    private readonly port: ZonePurgePort,
  ) {}

  onModuleInit(): void {
    this.port.register((zoneId, ownerId) => this.purgeZone(zoneId, ownerId));
  }

  /** Removes all files of a deleted zone, in batches; what a crash leaves is removed by the next call. */
  async purgeZone(zoneId: number, ownerId: number): Promise<void> {
    while ((await this.purgeBatch(zoneId, ownerId)) === BATCH);
  }

  private purgeBatch(zoneId: number, ownerId: number): Promise<number> {
    return inTransaction(this.em.fork(), async (em) => {
      const files = query<typeof FileSchema>(em);
      const rows = await files
        .deleteFrom('files')
        .where('id', 'in', (some) => some.selectFrom('files').select('id').where('zone_id', '=', zoneId).limit(BATCH))
        .returning(['object_key', 'size'])
        .execute();
      if (rows.length === 0) return 0;
      await this.jobs.enqueue(em, deleteObjects, { objectKeys: rows.map((row) => row.object_key) });
      const bytes = rows.reduce((sum, { size }) => sum + Number(size), 0);
      if (bytes > 0) await this.usage.give(em, ownerId, 'bytes', bytes);
      return rows.length;
    });
  }
}
