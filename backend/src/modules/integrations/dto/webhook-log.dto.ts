import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, IsOptional, Max, Min } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { IsOneOf } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { EntitlementState } from '../entities/entitlement.entity.js';
import type { WebhookStatus } from '../entities/integration-webhook.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

const idMessage = localized('This must be an id', 'Bu değer bir kimlik numarası olmalıdır');

export class WebhookLogQueryDto extends AdminListQueryDto {
  @IsOneOf(['pending', 'completed', 'failed'], localized('Unknown state.', 'Bilinmeyen durum.'))
  status?: WebhookStatus;

  /** Only the webhook with this id. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(idMessage)
  @Min(1, idMessage)
  @Max(Number.MAX_SAFE_INTEGER, idMessage)
  id?: number;
}

/** Fields that the logs of all senders share. */
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

/** Prices of the premium plans. */
export const premiumPlans = freezeList(['Monthly USD', 'Yearly USD', 'Monthly TRY', 'Yearly TRY']);
export type PremiumPlan = (typeof premiumPlans)[number];

export class StripeAcedumyWebhookDto extends WebhookLogDto {
  subscriptionId: string | null;
  stripeEventId: string | null;
  customerId: string | null;
  priceId: string | null;
  /** Derived from the price; null for unknown prices. */
  plan: PremiumPlan | null;
}

/** Access that a purchase gave a customer. */
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

/** A delivery with its body and the access that the purchase gave. */
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

/** Maximum number of replayed deliveries per request: one page of the log. */
const MAX_REPLAYED = 100;

const webhookListMessage = localized('Please give a list of webhooks', 'Lütfen bir webhook listesi verin');

export class ReplayDto {
  /** At most 100. */
  @IsInt({ each: true, ...webhookListMessage })
  @Min(1, { each: true, ...webhookListMessage })
  @Max(Number.MAX_SAFE_INTEGER, { each: true, ...webhookListMessage })
  @ArrayMaxSize(MAX_REPLAYED, localized(`At most ${MAX_REPLAYED} at a time`, `Bir seferde en fazla ${MAX_REPLAYED}`))
  @ArrayNotEmpty(webhookListMessage)
  @IsArray(webhookListMessage)
  ids: number[];
}

/** Result of replaying selected deliveries. */
export class ReplayedDto {
  replayed: number;
  /** Skipped: not found, or without content because the customer deleted their account. */
  passedOver: number;
}
