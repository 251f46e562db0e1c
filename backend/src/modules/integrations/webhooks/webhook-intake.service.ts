import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { integrationErrors } from '../integrations.errors.js';
import { processWebhook } from '../integrations.jobs.js';
import { deliveryParsers } from './delivery-parsers.js';
import { optionalString, PayloadError, parseJsonObject, type LogFields } from '../shared/payload-fields.js';
import { isSignatureValid } from './webhook-signature.js';
import { WebhookRepository } from './webhook.repository.js';
import type { WebhookSource } from '../shared/sources.js';

export interface WebhookDelivery {
  /** The bytes as received. */
  readonly body: Buffer;
  readonly signature: string;
  /** The sender's id of the delivery and its event type, if sent as headers. */
  readonly deliveryId?: string | undefined;
  readonly event?: string | undefined;
  /** The client's address. */
  readonly ipAddress: string | null;
}

/** Receives deliveries. Only verifies and stores them; a job processes them. */
@Injectable()
export class WebhookIntakeService {
  private readonly logger = new Logger('Integrations');

  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: WebhookRepository,
    private readonly config: AppConfig,
    private readonly jobs: JobsService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /**
   * Stores a delivery, and enqueues its processing. Ignores duplicates.
   * @throws WEBHOOK_NOT_SIGNED, storing nothing but a count; INTEGRATION_NOT_CONFIGURED without a secret
   */
  async storeDelivery(source: WebhookSource, delivery: WebhookDelivery): Promise<void> {
    const secret = this.config.integrations.secrets[source];
    if (secret === null) throw integrationErrors.INTEGRATION_NOT_CONFIGURED();
    if (!isSignatureValid(source, secret, delivery.body, delivery.signature)) {
      return this.rejectDelivery(source, delivery.ipAddress);
    }
    await inTransaction(this.em, async (em) => {
      const { body } = delivery;
      const shown = readShownFields(source, body);
      const webhookId = await this.webhooks.insertWebhook(em, { source, ...toDeliveryNames(delivery), body, shown });
      if (webhookId !== null) await this.jobs.enqueue(em, processWebhook, { webhookId });
    });
  }

  private async rejectDelivery(source: WebhookSource, ipAddress: string | null): Promise<never> {
    await this.webhooks.incrementRejections(source);
    await this.securityEvents.recordRejection({ kind: 'webhook-refused', detail: source, ipAddress });
    this.logger.warn({ source }, 'Rejected a webhook with an invalid signature.');
    throw integrationErrors.WEBHOOK_NOT_SIGNED();
  }
}

/** If the sender identifies deliveries only in the body, or not at all, they are identified by the body. */
function toDeliveryNames({ body, deliveryId, event }: WebhookDelivery) {
  const bodyNames = readBodyNames(body);
  return {
    deliveryId:
      deliveryId?.slice(0, 255) || bodyNames.id || `sha256:${createHash('sha256').update(body).digest('hex')}`,
    event: event?.slice(0, 80) || bodyNames.event || 'unknown',
  };
}

/** Reads the id and event of a signed body. An unreadable body is stored as well, and shown in the log. */
function readBodyNames(body: Buffer): { id: string | null; event: string | null } {
  try {
    const object = parseJsonObject(body);
    const event = optionalString(object, 'event', 80) ?? optionalString(object, 'type', 80);
    return { id: typeof object.type === 'string' ? optionalString(object, 'id') : null, event };
  } catch {
    return { id: null, event: null };
  }
}

/**
 * Returns the fields for the log before processing, so that a delivery can be found by its customer, and anonymised.
 * For an unreadable body, returns the fields that could be read; processing records the error.
 */
function readShownFields(source: WebhookSource, body: Buffer): LogFields {
  try {
    return deliveryParsers[source](body).shown;
  } catch (error) {
    if (error instanceof PayloadError) return error.shown;
    throw error;
  }
}
