import { Migration } from '@mikro-orm/migrations';

/** The identity of a provider that a sign-in connects once it is whole, second factor included. */
export class Migration190IdentityOfAWaitingSignIn extends Migration {
  override up(): void {
    this.addSql(`
      alter table "pending_sign_ins" add column "issuer" varchar(500) null, add column "subject" varchar(255) null,
        add column "identity_email" varchar(255) null;
      alter table "pending_sign_ins" add constraint "pending_sign_ins_identity_check"
        check (num_nulls("issuer", "subject", "identity_email") in (0, 3));
    `);
  }
}
