import { Migration } from '@mikro-orm/migrations';

/** When what a zone shows has changed last: "updated" of a zone follows it. */
export class Migration220WhenContentChanged extends Migration {
  override up(): void {
    this.addSql(`
      alter table "zone_stats" add column "content_changed_at" timestamptz null;
      update "zone_stats" s set "content_changed_at" = c.at from (
        select zone_id, max(at) as at from (
          select zone_id, max(greatest(updated_at, trashed_at)) as at from files group by 1
          union all select zone_id, max(greatest(updated_at, trashed_at)) from folders group by 1
        ) changes group by 1
      ) c where c.zone_id = s.zone_id;
    `);
  }
}
