import { Migration } from '@mikro-orm/migrations';

/**
 * A bounce without a reason counts against nobody, and who was suppressed for refusals of the sending is written to again: the
 * list holds keyed digests, so a job goes through it, once, where there is anything to go through.
 */
export class Migration249WronglySilenced extends Migration {
  override up(): void {
    this.addSql(`
      update "deliveries" set "fault" = null where "state" = 'failed' and "fault" = 'reader' and rtrim("reason") = 'Bounced:';
      insert into "jobs" ("queue", "name", "payload", "priority", "run_at", "max_attempts", "created_at")
      select 'long', 'campaigns.lift-wrongly-silenced', '{}'::jsonb, 0, now(), 10, now()
      where exists (select from "suppressions" where "reason" = 'failed');
    `);
  }
}
