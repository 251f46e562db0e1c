import { Migration } from '@mikro-orm/migrations';

export class Migration015Thumbnails extends Migration {
  override up(): void {
    this.addSql(`
      create table "file_thumbnails" (
        "file_id" bigint not null primary key,
        "object_key" varchar(100) not null,
        "size" int not null
      );
      alter table "file_thumbnails" add constraint "file_thumbnails_object_key_unique" unique ("object_key");
      alter table "file_thumbnails" add constraint "file_thumbnails_file_id_foreign" foreign key ("file_id") references "files" ("id") on update cascade on delete cascade;
    `);
  }
}
