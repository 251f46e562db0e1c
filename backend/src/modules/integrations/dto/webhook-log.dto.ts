import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, Max, Min } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { OneOf } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import type { EntitlementState } from '../entities/entitlement.entity.js';
import type { WebhookStatus } from '../entities/integration-webhook.entity.js';
import { catalogue } from '../../../platform/catalogue/catalogue.js';

export class WebhookLogQueryDto extends AdminListQueryDto {
  @OneOf(['pending', 'completed', 'failed'], say('This state is not known.', 'Bu durum bilinmiyor.'))
  status?: WebhookStatus;
}

/** What the logs of all senders have in common. */
export class WebhookLogDto {
  id: number;
  event: string;
  status: WebhookStatus;
  customerEmail: string | null;
  customerName: string | null;
  zoneId: number | null;
  zoneName: string | null;
  membershipCreated: boolean;
  /** False also where no mail server is set, and the mail was kept here. */
  emailSent: boolean;
  /** Worded in the language of the viewer; also said of a completed delivery that did nothing. */
  errorMessage: string | null;
  /** Stable, for programs. */
  errorCode: string | null;
  /** The field of the body that is missing or wrong, as the sender names it. */
  errorField: string | null;
  processedAt: Date | null;
  createdAt: Date;
}

export class WooCommerceWebhookDto extends WebhookLogDto {
  orderId: string | null;
  productId: string | null;
  productName: string | null;
}

export class AcedumyWebhookDto extends WebhookLogDto {
  subscriptionId: string | null;
}

/** What a price of the premium service stands for. */
export const premiumPlans = catalogue(['Monthly USD', 'Yearly USD', 'Monthly TRY', 'Yearly TRY']);
export type PremiumPlan = (typeof premiumPlans)[number];

export class StripeAcedumyWebhookDto extends WebhookLogDto {
  subscriptionId: string | null;
  stripeEventId: string | null;
  customerId: string | null;
  priceId: string | null;
  /** By the price; null for a price that the configuration does not name. */
  plan: PremiumPlan | null;
}

/** What a purchase opened for somebody. */
export class EntitlementDto {
  id: number;
  externalId: string;
  zoneId: number;
  zoneName: string;
  state: EntitlementState;
  /** Taken back by hand, and its customer is there: it can be given back. */
  canBeGivenBack: boolean;
  occurredAt: Date;
}

/** The body as it came, and what the purchase opened. */
export class WebhookDetailDto {
  id: number;
  /** Personal data are masked unless a super admin asks; null when the customer has deleted the account. */
  body: string | null;
  masked: boolean;
  entitlements: EntitlementDto[];
}

export class WebhookSummaryDto {
  total: number;
  successful: number;
  failed: number;
  pending: number;
  newMemberships: number;
  /** Refused for a missing or wrong signature in the last 30 days; nothing else is kept of them. */
  refused: number;
  lastReceivedAt: Date | null;
}

export class IntegrationInfoDto {
  /** The address to enter at the sender. */
  webhookUrl: string;
  events: string[];
  signatureHeader: string;
  /** The name of the variable, never its value. */
  secretVariable: string;
  isConfigured: boolean;
  /** The one zone of the premium service; null for the shop, whose products name zones. */
  zoneId: number | null;
  /** null when there is no such zone. */
  zoneName: string | null;
}

/** Most deliveries that are replayed by one request: a page of the log. */
const MOST = 100;

const wrong = say('Please give a list of webhooks', 'Lütfen bir webhook listesi verin');

export class ReplayDto {
  /** At most 100. */
  @IsInt({ each: true, ...wrong })
  @Min(1, { each: true, ...wrong })
  @Max(Number.MAX_SAFE_INTEGER, { each: true, ...wrong })
  @ArrayMaxSize(MOST, say(`At most ${MOST} at a time`, `Bir seferde en fazla ${MOST}`))
  @ArrayNotEmpty(wrong)
  @IsArray(wrong)
  ids: number[];
}

/** What came of a selection. */
export class ReplayedDto {
  replayed: number;
  /** Not there, or without a body since their customer has deleted the account. */
  passedOver: number;
}
