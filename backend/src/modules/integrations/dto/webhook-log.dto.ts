import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, Max, Min } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { OneOf } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import type { EntitlementState } from '../entities/entitlement.entity.js';
import type { WebhookStatus } from '../entities/integration-webhook.entity.js';
import { catalogue } from '../../../platform/catalogue/catalogue.js';

export class WebhookLogQueryDto extends AdminListQueryDto {
  @OneOf(['pending', 'completed', 'failed'], say('Unknown state.', 'Bilinmeyen durum.'))
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
  /** Also false if no email server is set and the email was kept here. */
  emailSent: boolean;
  /** In the viewer's language; also set for completed webhooks that had no effect. */
  errorMessage: string | null;
  /** Stable, for programs. */
  errorCode: string | null;
  /** The missing or wrong field of the body. */
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
  /** Derived from the price; null for unknown prices. */
  plan: PremiumPlan | null;
}

/** What a purchase opened for somebody. */
export class EntitlementDto {
  id: number;
  externalId: string;
  zoneId: number;
  zoneName: string;
  state: EntitlementState;
  /** Whether the manually revoked access can be restored; the customer still has an account. */
  canBeGivenBack: boolean;
  occurredAt: Date;
}

/** The body as it came, and what the purchase opened. */
export class WebhookDetailDto {
  id: number;
  /** Personal data is masked except for super admins; null if the customer deleted their account. */
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
  /** Rejected for a missing or wrong signature in the last 30 days; only the count is stored. */
  refused: number;
  lastReceivedAt: Date | null;
}

export class IntegrationInfoDto {
  /** The URL to enter at the sender. */
  webhookUrl: string;
  events: string[];
  signatureHeader: string;
  /** The name of the variable, never its value. */
  secretVariable: string;
  isConfigured: boolean;
  /** The zone of the premium service; null for the shop, which uses product mappings. */
  zoneId: number | null;
  /** null if the zone doesn't exist. */
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
  /** Skipped: not found, or without content because the customer deleted their account. */
  passedOver: number;
}
