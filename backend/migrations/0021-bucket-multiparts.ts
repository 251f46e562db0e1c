import { Migration } from '@mikro-orm/migrations';

/** Resumable uploads to buckets are multipart uploads of the bucket. */
export class Migration0021BucketMultiparts extends Migration {
  override up(): void {
    this.addSql(`
      create table "upload_multiparts" (
        "upload_id" bigint primary key,
        "object_key" varchar(100) not null,
        "remote_id" text not null,
        "generation" int not null,
        "part_bytes" bigint not null,
        "is_completing" boolean not null default false,
        constraint "upload_multiparts_object_key_unique" unique ("object_key"),
        constraint "upload_multiparts_upload_id_foreign" foreign key ("upload_id") references "uploads" ("id") on update cascade on delete cascade
      );
      create table "upload_multipart_parts" (
        "upload_id" bigint not null,
        "number" int not null,
        "etag" varchar(200) not null,
        primary key ("upload_id", "number"),
        constraint "upload_multipart_parts_upload_id_foreign" foreign key ("upload_id") references "upload_multiparts" ("upload_id") on delete cascade
      );
    `);
  }
}
