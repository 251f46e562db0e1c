import { Migration } from '@mikro-orm/migrations';

/** By which the window in which somebody asked to join takes the code of the mail. */
export class Migration257JoinHandles extends Migration {
  override up(): void {
    this.addSql(`alter table "pending_joins" add column "handle_digest" char(64) null;`);
    this.addSql(
      `alter table "pending_joins" add constraint "pending_joins_handle_digest_unique" unique ("handle_digest");`,
    );
  }
}
