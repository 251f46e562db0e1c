import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { SecurityTrail } from '../../../platform/trail/security-trail.service.js';
import { IntegrationWebhookSchema, WebhookRefusalSchema } from '../entities/integration-webhook.entity.js';
import { integrationErrors } from '../integrations.errors.js';
import { processWebhook } from '../integrations.jobs.js';
import { readDelivery } from './read-delivery.js';
import { lineIn, Malformed, parseObject } from '../shared/reading.js';
import { columnsOf } from '../shared/shown-columns.js';
import { isSigned } from './signature.js';
import type { Source } from '../shared/sources.js';

export interface Delivery {
  /** The bytes as they came. */
  readonly body: Buffer;
  readonly signature: string;
  /** The sender's names for the delivery and its kind, where they come as headers. */
  readonly deliveryId?: string | undefined;
  readonly event?: string | undefined;
  /** Of the client. */
  readonly ipAddress: string | null;
}

/** Takes deliveries in: nothing is done here but to keep what was really sent by the sender. */
@Injectable()
export class WebhookIntakeService {
  private readonly logger = new Logger('Integrations');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly jobs: Jobs,
    private readonly trail: SecurityTrail,
  ) {}

  /**
   * Keeps a delivery, to be processed by a job. One that was kept before changes nothing.
   * @throws WEBHOOK_NOT_SIGNED, and only a counter is kept; INTEGRATION_NOT_CONFIGURED without a secret
   */
  async receive(source: Source, delivery: Delivery): Promise<void> {
    const secret = this.config.integrations.secrets[source];
    if (secret === null) throw integrationErrors.INTEGRATION_NOT_CONFIGURED();
    if (!isSigned(source, secret, delivery.body, delivery.signature)) {
      return this.refuse(source, delivery.ipAddress);
    }
    await inTransaction(this.em, async (em) => {
      const row = await query<typeof IntegrationWebhookSchema>(em)
        .insertInto('integration_webhooks')
        .values({
          source,
          ...namesOf(delivery),
          ...shownOf(source, delivery.body),
          webhook_data: delivery.body,
          created_at: this.clock.now(),
        })
        .onConflict((conflict) => conflict.columns(['source', 'delivery_id']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (row) await this.jobs.enqueue(em, processWebhook, { webhookId: row.id });
    });
  }

  private async refuse(source: Source, ipAddress: string | null): Promise<never> {
    await query<typeof WebhookRefusalSchema>(this.em)
      .insertInto('webhook_refusals')
      .values({ source, day: this.clock.now().toISOString().slice(0, 10), count: 1 })
      .onConflict((conflict) =>
        conflict.columns(['source', 'day']).doUpdateSet({ count: sql<number>`webhook_refusals.count + 1` }),
      )
      .execute();
    await this.trail.refused({ kind: 'webhook-refused', detail: source, ipAddress });
    this.logger.warn({ source }, 'A webhook was refused for its signature.');
    throw integrationErrors.WEBHOOK_NOT_SIGNED();
  }
}

/** A sender that names its deliveries only in the body, or not at all, is told apart by the body. */
function namesOf({ body, deliveryId, event }: Delivery) {
  const said = sayings(body);
  return {
    delivery_id: deliveryId?.slice(0, 255) || said.id || `sha256:${createHash('sha256').update(body).digest('hex')}`,
    event: event?.slice(0, 80) || said.event || 'unknown',
  };
}

/** What a signed body says of itself. One that cannot be read is kept all the same, and the log shows that. */
function sayings(body: Buffer): { id: string | null; event: string | null } {
  try {
    const object = parseObject(body);
    const event = lineIn(object, 'event', 80) ?? lineIn(object, 'type', 80);
    return { id: typeof object.type === 'string' ? lineIn(object, 'id') : null, event };
  } catch {
    return { id: null, event: null };
  }
}

/**
 * What the log shows, so that a delivery is found by its customer, and the customer taken out of it, before it has been
 * processed. One that cannot be read shows what could be read of it; processing it tells why.
 */
function shownOf(source: Source, body: Buffer) {
  try {
    return columnsOf(readDelivery[source](body).shown);
  } catch (error) {
    if (error instanceof Malformed) return columnsOf(error.shown);
    throw error;
  }
}
