import { Migration } from '@mikro-orm/migrations';

/**
 * Links of administrators' invitations are told from those that people request, which live for an hour: they set the first
 * password only of an account that nobody has used.
 */
export class Migration263InvitationsOfAdministrators extends Migration {
  override up(): void {
    this.addSql(`
      update "single_use_tokens" set "subject" = 'account-invitation'
      where "purpose" = 'reset-password' and "subject" = '' and "used_at" is null
        and "expires_at" - "created_at" > interval '1 hour';
    `);
  }
}
