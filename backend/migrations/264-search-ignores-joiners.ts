import { Migration } from '@mikro-orm/migrations';

/**
 * Searching ignores joiners (U+200C, U+200D), which people type or leave out in Persian, Hindi and emoji. Only rows that
 * hold one are written again; indexes over the function are rebuilt.
 */
export class Migration264SearchIgnoresJoiners extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function search_fold(t text) returns text immutable parallel safe language sql as $$
        select case when octet_length(t) = length(t) then lower(t collate "C") else
          normalize(replace(replace(translate(
            regexp_replace(normalize(replace(
              lower(upper(lower(translate(normalize(translate(t, U&'\\200C\\200D', ''), NFKC), 'Iİı', 'iii') collate "und-x-icu") collate "und-x-icu") collate "und-x-icu"),
              'ς', 'σ'), NFD), '[\\u0300-\\u036f]+', '', 'g'),
            'øđłħŧ', 'odlht'), 'æ', 'ae'), 'œ', 'oe'), NFC) collate "C" end
      $$;
      update "files" set "name_key" = "name_key" where "name_key" ~ U&'[\\200C\\200D]';
      update "folders" set "name_key" = "name_key" where "name_key" ~ U&'[\\200C\\200D]';
      update "file_page_texts" set "text" = "text" where "text" ~ U&'[\\200C\\200D]';
      update "zone_members" set "search_key" = search_fold("search_key") where "search_key" ~ U&'[\\200C\\200D]';
      update "feature_suggestions" set "search_key" = search_fold("search_key") where "search_key" ~ U&'[\\200C\\200D]';
      reindex index "users_search_index";
      reindex index "zones_search_index";
      reindex index "integration_webhooks_search_index";
    `);
  }
}
