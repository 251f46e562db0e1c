import { Migration } from '@mikro-orm/migrations';

export class Migration072LeaveList extends Migration {
  override up(): void {
    this.addSql(`create index "zone_leaves_zone_id_left_at_id_index" on "zone_leaves" ("zone_id", "left_at", "id");`);
  }
}
