import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { EntitlementRepository } from '../entitlements/entitlement.repository.js';
import type { IntegrationInfoDto, PremiumPlan } from '../dto/webhook-log.dto.js';
import { webhookSourceInfo, type WebhookSource } from '../shared/sources.js';

/** Information that an operator needs to connect a sender. */
@Injectable()
export class IntegrationInfoService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly entitlements: EntitlementRepository,
  ) {}

  /** Returns what to enter at the sender: the webhook URL, its events, and how they are signed. */
  async getInfo(source: WebhookSource): Promise<IntegrationInfoDto> {
    const { path, events, signatureHeader, secretVariable } = webhookSourceInfo[source];
    const zoneId = source === 'woocommerce' ? null : this.config.integrations.premiumZoneId;
    const zone = zoneId === null ? null : await this.entitlements.findZone(this.em, zoneId);
    return {
      webhookUrl: `${this.config.appUrl}${path}`,
      events: [...events],
      signatureHeader,
      secretVariable,
      isConfigured: this.config.integrations.secrets[source] !== null,
      zoneId,
      zoneName: zone?.name ?? null,
    };
  }

  /** Returns the premium service's plan for a Stripe price. */
  findPremiumPlan(priceId: string | null): PremiumPlan | null {
    const { premiumPrices } = this.config.integrations;
    const plans = Object.keys(premiumPrices) as PremiumPlan[];
    return plans.find((plan) => priceId !== null && premiumPrices[plan] === priceId) ?? null;
  }

  /**
   * True when a subscription is for something other than the premium service: all webhooks of a Stripe account receive
   * the events of everything sold through it. Once prices of the premium service are configured, only they give access
   * to its zone; before that, all prices except those of this service's own plans do.
   */
  isForAnotherProduct(priceIds: readonly string[]): boolean {
    const premium = Object.values(this.config.integrations.premiumPrices).filter((id) => id !== null);
    if (premium.length > 0) return !priceIds.some((id) => premium.includes(id));
    const own = Object.values(this.config.stripe.prices).flatMap(({ monthly, yearly }) => [monthly, yearly]);
    return priceIds.length > 0 && priceIds.every((id) => own.includes(id));
  }
}
