import { Migration } from '@mikro-orm/migrations';

export class Migration080MemberSearch extends Migration {
  override up(): void {
    this.addSql(`
      create index "zone_members_search_key_trigram_index" on "zone_members" using gin ("search_key" gin_trgm_ops);
    `);
  }
}
