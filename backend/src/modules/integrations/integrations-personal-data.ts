import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  inBatches,
  PersonalDataPort,
  type ErasedPerson,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../auth/personal-data.port.js';
import { EntitlementRepairService } from './entitlement-repair.service.js';
import { EntitlementSchema } from './entities/entitlement.entity.js';
import { IntegrationWebhookSchema } from './entities/integration-webhook.entity.js';
import { PurchasePasswordSchema } from './entities/purchase-password.entity.js';

type Tables = typeof IntegrationWebhookSchema | typeof EntitlementSchema | typeof PurchasePasswordSchema;

/**
 * Purchases of people. What was bought stays without the person, so that later news of it makes no account anew; of
 * deliveries the person is taken out.
 */
@Injectable()
export class IntegrationsPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
    private readonly repairs: EntitlementRepairService,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, person: Person): Record<string, Rows> {
    return { purchases: purchases(em, person), purchaseWebhooks: webhooks(em, person) };
  }

  async erase({ id, email, requestedAt }: ErasedPerson): Promise<ErasureState> {
    await inTransaction(this.em.fork(), async (em) => {
      await this.repairs.release(em, id);
      await query<Tables>(em).deleteFrom('purchase_passwords').where('email', '=', email).execute();
      await query<Tables>(em)
        .updateTable('integration_webhooks')
        .set({ customer_email: null, customer_name: null, customer_id: null, webhook_data: null })
        .where('customer_email', '=', email)
        .where('created_at', '<=', requestedAt)
        .execute();
    });
    return 'done';
  }
}

const purchases = (em: EntityManager, { id }: Person) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('entitlements')
      .select(['id', 'source', 'external_id as externalId', 'zone_id as zoneId', 'state'])
      .select(['occurred_at as occurredAt', 'created_at as createdAt'])
      .where('user_id', '=', id)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

const webhooks = (em: EntityManager, { email }: Person) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('integration_webhooks')
      .select(['id', 'source', 'event', 'status', 'order_id as orderId', 'product_name as productName'])
      .select(['subscription_id as subscriptionId', 'customer_name as customerName', 'created_at as createdAt'])
      .where('customer_email', '=', email)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
