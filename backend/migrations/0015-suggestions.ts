import { Migration } from '@mikro-orm/migrations';

/** Suggestions and their votes. */
export class Migration0015Suggestions extends Migration {
  override up(): void {
    this.addSql(`
      create table "feature_suggestions" (
        "id" bigserial primary key,
        "title" varchar(100) not null,
        "description" varchar(1000) not null,
        "category" varchar(20) not null default 'feature',
        "status" varchar(20) not null default 'pending',
        "priority" varchar(10) not null default 'medium',
        "submitted_by_id" bigint null,
        "approved_by_id" bigint null,
        "admin_notes" varchar(500) null,
        "estimated_hours" smallint null,
        "target_version" varchar(20) null,
        "vote_count" int not null default 0,
        "search_key" text not null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        "merged_into_id" bigint null,
        constraint "feature_suggestions_category_check" check (category in ('feature', 'bug', 'improvement')),
        constraint "feature_suggestions_status_check" check (status in ('pending', 'approved', 'rejected', 'in-progress', 'completed')),
        constraint "feature_suggestions_priority_check" check (priority in ('low', 'medium', 'high')),
        constraint "feature_suggestions_counts_check" check (vote_count >= 0 and estimated_hours >= 1 and estimated_hours <= 200),
        constraint "feature_suggestions_merged_check" check (merged_into_id <> id),
        constraint "feature_suggestions_merged_into_id_foreign" foreign key ("merged_into_id") references "feature_suggestions" ("id") on delete set null,
        constraint "feature_suggestions_submitted_by_id_foreign" foreign key ("submitted_by_id") references "users" ("id") on delete set null,
        constraint "feature_suggestions_approved_by_id_foreign" foreign key ("approved_by_id") references "users" ("id") on delete set null
      );
      create index "feature_suggestions_votes_index" on "feature_suggestions" ("vote_count", "id");
      create index "feature_suggestions_status_votes_index" on "feature_suggestions" ("status", "vote_count", "id");
      create index "feature_suggestions_search_key_trigram_index" on "feature_suggestions" using gin ("search_key" gin_trgm_ops);
      create index "feature_suggestions_submitted_by_id_index" on "feature_suggestions" ("submitted_by_id");
      create index "feature_suggestions_approved_by_id_index" on "feature_suggestions" ("approved_by_id");
      create index "feature_suggestions_merged_into_id_index" on "feature_suggestions" ("merged_into_id");
      create table "feature_votes" (
        "id" bigserial primary key,
        "suggestion_id" bigint not null,
        "user_id" bigint not null,
        "created_at" timestamptz not null,
        constraint "feature_votes_suggestion_id_user_id_unique" unique ("suggestion_id", "user_id"),
        constraint "feature_votes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade,
        constraint "feature_votes_suggestion_id_foreign" foreign key ("suggestion_id") references "feature_suggestions" ("id") on delete cascade
      );
      create index "feature_votes_user_id_index" on "feature_votes" ("user_id");
    `);
  }
}
