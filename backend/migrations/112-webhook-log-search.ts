import { Migration } from '@mikro-orm/migrations';

/** What the logs of deliveries are searched, sorted and counted by. */
export class Migration112WebhookLogSearch extends Migration {
  override up(): void {
    this.addSql(`
      create index "integration_webhooks_search_index" on "integration_webhooks" using gin (lower(translate(coalesce("customer_email", '') || ' ' || coalesce("customer_name", ''), 'Iİı', 'iii')) gin_trgm_ops);
      create index "integration_webhooks_source_order_id_index" on "integration_webhooks" ("source", "order_id", "id");
      create index "integration_webhooks_source_subscription_id_index" on "integration_webhooks" ("source", "subscription_id", "id");
      create index "integration_webhooks_source_processed_at_index" on "integration_webhooks" ("source", "processed_at", "id");
      create index "integration_webhooks_figures_index" on "integration_webhooks" ("source", "status", "membership_created");
    `);
  }
}
