import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { SecurityTrail } from '../../../platform/trail/security-trail.service.js';
import { ApiTokenNetworkSchema } from '../entities/api-token.entity.js';
import { tellSecurityEvent } from '../auth.jobs.js';

/** Networks that are remembered of a token; beyond them the one unused for the longest is forgotten. */
const REMEMBERED = 20;
/** A program that moves from network to network all day writes this many mails a day and no more. */
const MAILS_A_DAY = 5;

/** A token at work. */
export interface UsedToken {
  readonly tokenId: number;
  readonly name: string;
  readonly userId: number;
}

/** From where API tokens are used: their person learns of each network once. */
@Injectable()
export class TokenNetworks {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly trail: SecurityTrail,
  ) {}

  /** Remembers the network of a use. Of many first uses at once one is noted and told. */
  async remember({ tokenId, name, userId }: UsedToken, network: string): Promise<void> {
    const now = this.clock.now();
    await inTransaction(this.em.fork(), async (em) => {
      const networks = query<typeof ApiTokenNetworkSchema>(em);
      const fresh = await networks
        .insertInto('api_token_networks')
        .values({ token_id: tokenId, network, first_at: now, last_at: now })
        .onConflict((conflict) => conflict.columns(['token_id', 'network']).doUpdateSet({ last_at: now }))
        .returning(sql<boolean>`xmax = 0`.as('fresh'))
        .executeTakeFirstOrThrow();
      if (!fresh.fresh) return;
      const unused = networks
        .selectFrom('api_token_networks')
        .select('network')
        .where('token_id', '=', tokenId)
        .orderBy('last_at', 'desc')
        .orderBy('first_at', 'desc')
        .offset(REMEMBERED);
      await networks
        .deleteFrom('api_token_networks')
        .where('token_id', '=', tokenId)
        .where('network', 'in', unused)
        .execute();
      await this.trail.note(em, { kind: 'token-network', detail: 'api-token', userId, ipAddress: network });
      if (await this.maySay(em, tokenId, now)) {
        await this.jobs.enqueue(em, tellSecurityEvent, {
          ...{ userId, event: 'token-network', tokenName: name, tokenId, usedAt: now.toISOString() },
        });
      }
    });
  }

  private async maySay(em: EntityManager, tokenId: number, now: Date): Promise<boolean> {
    const { today } = await query<typeof ApiTokenNetworkSchema>(em)
      .selectFrom('api_token_networks')
      .select(sql<number>`count(*)::int`.as('today'))
      .where('token_id', '=', tokenId)
      .where('first_at', '>', after(now, -DAY))
      .executeTakeFirstOrThrow();
    return today <= MAILS_A_DAY;
  }
}
