import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { ApiTokenRepository } from '../tokens/api-token.repository.js';
import { notifySecurityEvent } from '../auth.jobs.js';

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
    private readonly apiTokens: ApiTokenRepository,
    private readonly jobs: JobsService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /** Records the network of a use. Of concurrent first uses, one is recorded and notified. */
  async recordUse({ tokenId, name, userId }: ApiTokenUse, network: string): Promise<void> {
    const now = this.clock.now();
    await inTransaction(this.em.fork(), async (em) => {
      if (!(await this.apiTokens.upsertNetwork(em, tokenId, network, now))) return;
      await this.apiTokens.deleteOldestNetworks(em, tokenId);
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
    const today = await this.apiTokens.countNewNetworks(em, tokenId, addMilliseconds(now, -DAY));
    return today <= MAX_EMAILS_PER_DAY;
  }
}
