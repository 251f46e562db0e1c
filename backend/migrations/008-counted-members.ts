import { Migration } from '@mikro-orm/migrations';

export class Migration008CountedMembers extends Migration {
  override up(): void {
    this.addSql(`alter table "zone_members" add column "is_counted" boolean not null default true;`);
  }
}
