import { Migration } from '@mikro-orm/migrations';

/**
 * Mailed links and codes know who asked for them (a keyed digest), so that strangers void only their own. Jobs that wait
 * lose the addresses of clients, which administrators saw.
 */
export class Migration242WhoAskedForAMail extends Migration {
  override up(): void {
    this.addSql(`
      alter table "single_use_tokens" add column "asked_by" varchar(64) not null default '';
      alter table "email_verifications" add column "asked_by" varchar(64) not null default '',
        add column "tries_elsewhere" int not null default 0;
      update jobs set payload = payload - 'from' - 'network'
        where name in ('auth.send-password-reset', 'auth.send-sign-in-mail', 'auth.send-verification-code', 'auth.tell-security-event');
    `);
  }
}
