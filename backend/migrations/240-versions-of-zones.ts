import { Migration } from '@mikro-orm/migrations';

/** Zones count how often their own fields were changed, so that an older window does not undo a newer change. */
export class Migration240VersionsOfZones extends Migration {
  override up(): void {
    this.addSql(`alter table "zones" add column "version" int not null default 1;`);
  }
}
