import { Migration } from '@mikro-orm/migrations';

/** A request to join remembers the link whose days it leads to, so that the link gives them once. */
export class Migration247RequestsByLinks extends Migration {
  override up(): void {
    this.addSql(`alter table "join_requests" add column "link_id" bigint null;`);
  }
}
