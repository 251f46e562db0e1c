import { Migration } from '@mikro-orm/migrations';

/**
 * One folding for everything that is searched: accents no longer count ("odev" finds "ödev"), and ẞ, ß and ss are one
 * letter. Names that were told apart by ẞ alone keep their old key until they are renamed.
 */
export class Migration160SearchFolding extends Migration {
  override up(): void {
    this.addSql(`
      create function search_fold(t text) returns text immutable strict parallel safe language sql as $$
        select normalize(replace(replace(translate(
          regexp_replace(normalize(replace(
            lower(upper(lower(translate(t, 'Iİı', 'iii') collate "und-x-icu") collate "und-x-icu") collate "und-x-icu"),
            'ς', 'σ'), NFD), '[\\u0300-\\u036f]+', '', 'g'),
          'øđłħŧ', 'odlht'), 'æ', 'ae'), 'œ', 'oe'), NFC)
      $$;
      update "files" f set "name_key" = replace(f."name_key", 'ß', 'ss') where f."name_key" like '%ß%' and not exists (
        select from "files" o where o."zone_id" = f."zone_id" and coalesce(o."folder_id", 0) = coalesce(f."folder_id", 0)
          and o."id" <> f."id" and replace(o."name_key", 'ß', 'ss') = replace(f."name_key", 'ß', 'ss'));
      update "folders" f set "name_key" = replace(f."name_key", 'ß', 'ss') where f."name_key" like '%ß%' and not exists (
        select from "folders" o where o."zone_id" = f."zone_id" and coalesce(o."parent_id", 0) = coalesce(f."parent_id", 0)
          and o."id" <> f."id" and replace(o."name_key", 'ß', 'ss') = replace(f."name_key", 'ß', 'ss'));
      update "files" f set "name_key" = replace(f."name_key", 'ς', 'σ') where f."name_key" like '%ς%' and not exists (
        select from "files" o where o."zone_id" = f."zone_id" and coalesce(o."folder_id", 0) = coalesce(f."folder_id", 0)
          and o."id" <> f."id" and replace(o."name_key", 'ς', 'σ') = replace(f."name_key", 'ς', 'σ'));
      update "folders" f set "name_key" = replace(f."name_key", 'ς', 'σ') where f."name_key" like '%ς%' and not exists (
        select from "folders" o where o."zone_id" = f."zone_id" and coalesce(o."parent_id", 0) = coalesce(f."parent_id", 0)
          and o."id" <> f."id" and replace(o."name_key", 'ς', 'σ') = replace(f."name_key", 'ς', 'σ'));
      alter table "files" add column "search_key" text generated always as (search_fold("name_key")) stored;
      alter table "folders" add column "search_key" text generated always as (search_fold("name_key")) stored;
      drop index "files_name_key_trigram_index";
      drop index "folders_name_key_trigram_index";
      create index "files_search_key_trigram_index" on "files" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null;
      create index "folders_search_key_trigram_index" on "folders" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null;
      drop index "files_zone_id_folder_id_name_key_unique";
      create unique index "files_zone_id_folder_id_name_key_unique" on "files" ("zone_id", coalesce("folder_id", 0), "name_key") include ("id", "folder_id", "search_key") where "trashed_at" is null;
      drop index "folders_zone_id_parent_id_name_key_unique";
      create unique index "folders_zone_id_parent_id_name_key_unique" on "folders" ("zone_id", coalesce("parent_id", 0), "name_key") include ("id", "parent_id", "search_key") where "trashed_at" is null;
      update "zone_members" set "search_key" = search_fold("search_key") where "search_key" <> search_fold("search_key");
      update "feature_suggestions" set "search_key" = search_fold("search_key") where "search_key" <> search_fold("search_key");
      drop index "users_search_index";
      create index "users_search_index" on "users" using gin (search_fold("email" || ' ' || coalesce("username", '') || ' ' || coalesce("first_name", '') || ' ' || coalesce("last_name", '')) gin_trgm_ops);
      drop index "zones_search_index";
      create index "zones_search_index" on "zones" using gin (search_fold("name") gin_trgm_ops);
      drop index "integration_webhooks_search_index";
      create index "integration_webhooks_search_index" on "integration_webhooks" using gin (search_fold(coalesce("customer_email", '') || ' ' || coalesce("customer_name", '')) gin_trgm_ops);
    `);
  }
}
