import { Migration } from '@mikro-orm/migrations';

/** Parts of uploads that browsers send to the bucket itself. */
export class Migration0024DirectUploads extends Migration {
  override up(): void {
    this.addSql(`
      alter table "upload_multiparts"
        add column "is_direct" boolean not null default false,
        add column "sha256" varchar(64) null,
        add constraint "upload_multiparts_sha256_check" check (sha256 is null or (is_direct and is_completing));
    `);
  }
}
