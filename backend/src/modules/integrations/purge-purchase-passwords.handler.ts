import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { PurchasePasswordSchema } from './entities/purchase-password.entity.js';
import { purgePurchasePasswords } from './purge-purchase-passwords.job.js';

@Injectable()
@JobHandler(purgePurchasePasswords)
export class PurgePurchasePasswordsHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async handle(): Promise<void> {
    await query<typeof PurchasePasswordSchema>(this.em)
      .deleteFrom('purchase_passwords')
      .where('expires_at', '<=', this.clock.now())
      .execute();
  }
}
