import { Migration } from '@mikro-orm/migrations';

/**
 * Searching takes look-alikes for the letters that they stand for (NFKC: full-width letters, ligatures), and does not
 * fold plain ASCII, which most names are, letter by letter. Not `strict`, and each use of `t` is cheap: PostgreSQL then
 * puts the expression in the place of the call. U+FDFA becomes 18 letters, so that the key of a name is cut to what an
 * index takes beside the name.
 */
export class Migration245FoldedLookAlikes extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function search_fold(t text) returns text immutable parallel safe language sql as $$
        select case when octet_length(t) = length(t) then lower(t collate "C") else
          normalize(replace(replace(translate(
            regexp_replace(normalize(replace(
              lower(upper(lower(translate(normalize(t, NFKC), 'Iİı', 'iii') collate "und-x-icu") collate "und-x-icu") collate "und-x-icu"),
              'ς', 'σ'), NFD), '[\\u0300-\\u036f]+', '', 'g'),
            'øđłħŧ', 'odlht'), 'æ', 'ae'), 'œ', 'oe'), NFC) collate "C" end
      $$;
      drop index "files_search_key_trigram_index", "folders_search_key_trigram_index";
      drop index "files_zone_id_folder_id_name_key_unique", "folders_zone_id_parent_id_name_key_unique";
      alter table "files" drop column "search_key", add column "search_key" text generated always as (left(search_fold("name_key"), 300)) stored;
      alter table "folders" drop column "search_key", add column "search_key" text generated always as (left(search_fold("name_key"), 300)) stored;
      create index "files_search_key_trigram_index" on "files" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null;
      create index "folders_search_key_trigram_index" on "folders" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null;
      create unique index "files_zone_id_folder_id_name_key_unique" on "files" ("zone_id", coalesce("folder_id", 0), "name_key") include ("id", "folder_id", "search_key") where "trashed_at" is null;
      create unique index "folders_zone_id_parent_id_name_key_unique" on "folders" ("zone_id", coalesce("parent_id", 0), "name_key") include ("id", "parent_id", "search_key") where "trashed_at" is null;
      update "zone_members" set "search_key" = search_fold("search_key") where "search_key" <> search_fold("search_key");
      update "feature_suggestions" set "search_key" = search_fold("search_key") where "search_key" <> search_fold("search_key");
      reindex index "users_search_index";
      reindex index "zones_search_index";
      reindex index "integration_webhooks_search_index";
    `);
  }
}
