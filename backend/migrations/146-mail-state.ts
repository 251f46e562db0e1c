import { Migration } from '@mikro-orm/migrations';

/** Whether the mail server takes mails, for those who wait for them. */
export class Migration146MailState extends Migration {
  override up(): void {
    this.addSql(
      `create table "mail_state" ("id" int not null, "taken_at" timestamptz null, "refusing_since" timestamptz null, "refused_at" timestamptz null, "reason" varchar(300) null, primary key ("id"));`,
    );
    this.addSql(`alter table "mail_state" add constraint "mail_state_only_check" check (id = 1);`);
    this.addSql(`insert into "mail_state" ("id") values (1);`);
  }
}
