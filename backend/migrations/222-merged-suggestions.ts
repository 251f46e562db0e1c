import { Migration } from '@mikro-orm/migrations';

/** A suggestion that says what another one says is merged into it. Its votes stay where they are, so that it can be undone. */
export class Migration222MergedSuggestions extends Migration {
  override up(): void {
    this.addSql(`
      alter table "feature_suggestions" add column "merged_into_id" bigint null;
      alter table "feature_suggestions" add constraint "feature_suggestions_merged_check" check (merged_into_id <> id);
      alter table "feature_suggestions" add constraint "feature_suggestions_merged_into_id_foreign"
        foreign key ("merged_into_id") references "feature_suggestions" ("id") on delete set null;
      create index "feature_suggestions_merged_into_id_index" on "feature_suggestions" ("merged_into_id");
    `);
  }
}
