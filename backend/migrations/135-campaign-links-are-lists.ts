import { Migration } from '@mikro-orm/migrations';

/**
 * Drafts held their list of addresses as a text that reads like a list (`"[]"`), so that their report could not be made.
 * From now on the column takes lists only.
 */
export class Migration135CampaignLinksAreLists extends Migration {
  override up(): void {
    this.addSql(`update "campaigns" set "links" = '[]'::jsonb where jsonb_typeof("links") <> 'array';`);
    this.addSql(`alter table "campaigns" alter column "links" set default '[]'::jsonb;`);
    this.addSql(
      `alter table "campaigns" add constraint "campaigns_links_check" check (jsonb_typeof("links") = 'array');`,
    );
  }
}
