import { Migration } from '@mikro-orm/migrations';

/** What the lists of administrators are cut and searched by. */
export class Migration094AdminLists extends Migration {
  override up(): void {
    this.addSql(`
      create index "users_search_index" on "users" using gin (lower(translate("email" || ' ' || coalesce("username", '') || ' ' || coalesce("first_name", '') || ' ' || coalesce("last_name", ''), 'Iİı', 'iii')) gin_trgm_ops);
      create index "users_plan_id_index" on "users" ("plan", "id");
      create index "users_staff_index" on "users" ("id") where role <> 'user' or is_super_admin;
      create index "users_deactivated_index" on "users" ("id") where deactivated_at is not null;
      create index "users_pending_index" on "users" ("id") where not email_verified;
      create index "zones_search_index" on "zones" using gin (lower(translate("name", 'Iİı', 'iii')) gin_trgm_ops);
      create index "activity_type_id_index" on "activity" ("type", "id");
      create index "suppressions_digest_index" on "suppressions" ("digest");
      create index "jobs_dead_index" on "jobs" ("id") where state = 'dead';
    `);
  }
}
