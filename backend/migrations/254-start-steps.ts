import { Migration } from '@mikro-orm/migrations';

/** What a new owner has done of the list on the dashboard that no other row tells; null of who has done nothing of it. */
export class Migration254StartSteps extends Migration {
  override up(): void {
    this.addSql(`alter table "users" add column "start_steps" jsonb null;`);
  }
}
