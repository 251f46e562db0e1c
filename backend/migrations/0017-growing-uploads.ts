import { Migration } from '@mikro-orm/migrations';

/** Resumable uploads are objects that grow; a request that takes over from another one excludes it by the generation. */
export class Migration0017GrowingUploads extends Migration {
  override up(): void {
    this.addSql(`
      alter table "resumable_uploads"
        add column "generation" int not null default 0,
        add column "is_writing" boolean not null default false;
    `);
  }
}
