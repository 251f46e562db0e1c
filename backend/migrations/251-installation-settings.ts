import { Migration } from '@mikro-orm/migrations';

/** What super admins set of the installation in the page, a row for each. */
export class Migration251InstallationSettings extends Migration {
  override up(): void {
    this.addSql(`
      create table "installation_settings" (
        "key" varchar(60) not null, "value" jsonb not null, "changed_by_id" bigint null, "changed_at" timestamptz not null,
        primary key ("key")
      );
    `);
  }
}
