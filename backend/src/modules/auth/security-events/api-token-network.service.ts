import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { ApiTokenNetworkSchema } from '../entities/api-token.entity.js';
import { notifySecurityEvent } from '../auth.jobs.js';

/** Networks stored per token. Beyond this, the one unused for the longest is deleted. */
const MAX_NETWORKS_PER_TOKEN = 20;
/** Limits the emails about a program that moves between networks all day. */
const MAX_EMAILS_PER_DAY = 5;

/** A request authenticated with an API token. */
export interface ApiTokenUse {
  readonly tokenId: number;
  readonly name: string;
  readonly userId: number;
}

/** Records the networks from which API tokens are used. The owner is notified once of each network. */
@Injectable()
export class ApiTokenNetworkService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /** Records the network of a use. Of concurrent first uses, one is recorded and notified. */
  async recordUse({ tokenId, name, userId }: ApiTokenUse, network: string): Promise<void> {
    const now = this.clock.now();
    await inTransaction(this.em.fork(), async (em) => {
      const networks = query<typeof ApiTokenNetworkSchema>(em);
      const upserted = await networks
        .insertInto('api_token_networks')
        .values({ token_id: tokenId, network, first_at: now, last_at: now })
        .onConflict((conflict) => conflict.columns(['token_id', 'network']).doUpdateSet({ last_at: now }))
        .returning(sql<boolean>`xmax = 0`.as('isNew'))
        .executeTakeFirstOrThrow();
      if (!upserted.isNew) return;
      const unused = networks
        .selectFrom('api_token_networks')
        .select('network')
        .where('token_id', '=', tokenId)
        .orderBy('last_at', 'desc')
        .orderBy('first_at', 'desc')
        .offset(MAX_NETWORKS_PER_TOKEN);
      await networks
        .deleteFrom('api_token_networks')
        .where('token_id', '=', tokenId)
        .where('network', 'in', unused)
        .execute();
      await this.securityEvents.recordEvent(em, {
        kind: 'token-network',
        detail: 'api-token',
        userId,
        ipAddress: network,
      });
      if (await this.canNotifyToday(em, tokenId, now)) {
        await this.jobs.enqueue(em, notifySecurityEvent, {
          userId,
          event: 'token-network',
          tokenName: name,
          tokenId,
          usedAt: now.toISOString(),
        });
      }
    });
  }

  private async canNotifyToday(em: EntityManager, tokenId: number, now: Date): Promise<boolean> {
    const { today } = await query<typeof ApiTokenNetworkSchema>(em)
      .selectFrom('api_token_networks')
      .select(sql<number>`count(*)::int`.as('today'))
      .where('token_id', '=', tokenId)
      .where('first_at', '>', addMilliseconds(now, -DAY))
      .executeTakeFirstOrThrow();
    return today <= MAX_EMAILS_PER_DAY;
  }
}
