import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { redactAddresses, classifyRejection } from '../../../platform/email/outcome/send-outcome.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { LeavingService } from '../../zones/leaving/leaving.service.js';
import { RecipientService } from '../audience/recipient.service.js';
import { notifyCampaignStopped } from '../campaigns.jobs.js';
import { CampaignStateRepository } from '../engine/campaign-state.repository.js';
import { DeliveryRepository } from '../engine/delivery.repository.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';
import { TRACKING_PERIOD, readMessageId } from '../shared/tracking-token.js';
import type { LocalizedText } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { normaliseEmail } from '../../../platform/http/parsing/fields.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';

/** Stored as the SMTP code of bounces that arrive after the email was accepted. */
const BOUNCE_SMTP_CODE = 550;

/** Processes bounces and complaints. Each event has its own transaction and is idempotent. */
@Injectable()
export class MailEventsService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly leaving: LeavingService,
    private readonly deliveries: DeliveryRepository,
    private readonly states: CampaignStateRepository,
    private readonly recipients: RecipientService,
    private readonly emailQuota: EmailQuotaService,
    private readonly jobs: JobsService,
  ) {}

  /** @returns how many of the events concerned known deliveries */
  async record(events: readonly MailEvent[]): Promise<number> {
    let known = 0;
    for (const event of events) if (await this.recordEvent(event)) known += 1;
    return known;
  }

  private async recordEvent(event: MailEvent): Promise<boolean> {
    const deliveryId = readMessageId(this.config.keys, event.messageId);
    const sentAfter = addMilliseconds(this.clock.now(), -TRACKING_PERIOD);
    const delivery =
      deliveryId === null ? null : await this.deliveries.findReported(deliveryId, event.email, sentAfter);
    if (!delivery) return false;
    if (event.type === 'complaint') {
      await inTransaction(this.em.fork(), (em) => this.leaving.handleComplaint(em, delivery));
    }
    if (event.type === 'bounce' && event.permanent) await this.recordBounce(delivery, event.reason);
    return true;
  }

  /**
   * A bounced email was not delivered: it counts as failed, like one that was rejected immediately. A sent campaign whose
   * last delivered email has bounced becomes failed.
   */
  private recordBounce(delivery: { id: number; campaignId: number; ownerId: number }, reason: string): Promise<void> {
    const { campaignId } = delivery;
    return inTransaction(this.em.fork(), async (em) => {
      const storedReason = `Bounced: ${redactAddresses(reason)}`.slice(0, 300);
      const bounceCause = classifyRejection({ code: BOUNCE_SMTP_CODE, text: reason, atRecipient: true });
      const bounce = { smtpCode: BOUNCE_SMTP_CODE, reason: storedReason, bounceCause };
      await this.states.lockRow(em, campaignId);
      if (!(await this.deliveries.failDelivered(em, delivery.id, bounce))) return;
      await this.states.incrementCounts(em, campaignId, {
        delivered: -1,
        failed: 1,
        sender_fault: bounceCause === 'sender' ? 1 : 0,
        reader_fault: bounceCause === 'reader' ? 1 : 0,
      });
      const failure = await this.states.markUndelivered(em, campaignId);
      if (failure === 'ALL_REFUSED') await this.jobs.enqueue(em, notifyCampaignStopped, { campaignId });
      await this.recipients.suppressFailingAddresses(em, delivery);
      // Last, because it locks the owner's usage.
      await this.emailQuota.refundUnsent(em, campaignId);
    });
  }
}

/** An event reported after the mail server accepted an email. */
export interface MailEvent {
  readonly type: 'bounce' | 'complaint' | 'delivered';
  readonly messageId: string;
  readonly email: string;
  readonly permanent: boolean;
  readonly reason: string;
}

const MAX_EVENTS = 1000;

const invalidBody: LocalizedText = {
  en: 'The body must be an array of at most 1,000 events, each with type, messageId and email.',
  tr: 'Gövde, her biri type, messageId ve email içeren en fazla 1.000 olaydan oluşan bir dizi olmalıdır.',
};

/**
 * Parses a report whose signature has been verified.
 * @throws MALFORMED_JSON, VALIDATION_FAILED
 */
export function readMailEvents(body: Buffer): MailEvent[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw commonErrors.MALFORMED_JSON();
  }
  if (!Array.isArray(parsed) || parsed.length > MAX_EVENTS) throw fieldError('body', invalidBody);
  return parsed.map(readMailEvent);
}

function readMailEvent(event: unknown): MailEvent {
  const { type, messageId, email, permanent, reason } = (event ?? {}) as Record<string, unknown>;
  const isKnown = type === 'bounce' || type === 'complaint' || type === 'delivered';
  if (!isKnown || typeof messageId !== 'string' || typeof email !== 'string') throw fieldError('body', invalidBody);
  return {
    type,
    messageId,
    email: normaliseEmail(email),
    permanent: permanent === true,
    reason: typeof reason === 'string' ? reason.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ') : '',
  };
}
