import { Migration } from '@mikro-orm/migrations';

/** Export and deletion of an account look for the wishes to join of one address. */
export class Migration081PendingJoinsByAddress extends Migration {
  override up(): void {
    this.addSql(`create index "pending_joins_email_id_index" on "pending_joins" ("email", "id");`);
  }
}
