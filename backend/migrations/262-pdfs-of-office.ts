import { Migration } from '@mikro-orm/migrations';

/** The PDF that pages of an Office document are drawn of. Where there is no LibreOffice there are no pages, and a reason. */
export class Migration262PdfsOfOffice extends Migration {
  override up(): void {
    this.addSql(`
      alter table "file_documents" drop constraint "file_documents_failure_check",
        add constraint "file_documents_failure_check" check ((state in ('failed', 'none')) = (failure is not null));
      create table "file_pdfs" (
        "file_id" bigint not null primary key, "object_key" varchar(100) not null, "size" int not null,
        constraint "file_pdfs_object_key_unique" unique ("object_key"),
        constraint "file_pdfs_file_id_foreign" foreign key ("file_id") references "file_documents" ("file_id") on update cascade on delete cascade
      );
    `);
  }
}
