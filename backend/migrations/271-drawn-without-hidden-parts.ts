import { Migration } from '@mikro-orm/migrations';

/**
 * What was drawn and read before may show hidden parts, and lacks form values, so it is made again: the empty key is that of
 * no content. So are Office documents that were made PDF and not drawn yet, or not rightly. Their pictures in lists go at
 * once, as they may show what is hidden. Apart from 270, which locks the table.
 */
export class Migration271DrawnWithoutHiddenParts extends Migration {
  override up(): void {
    this.addSql(`
      with "again" as (
        update "file_documents" d set "content_key" = '', "state" = 'waiting', "failure" = null from "files" f
        where f."id" = d."file_id" and f."mime_type" not like 'image/%' and f."mime_type" <> 'text/plain'
          and (d."state" = 'ready' or exists (select from "file_pdfs" p where p."file_id" = d."file_id"))
        returning d."file_id", f."mime_type"
      ), "gone" as (
        delete from "file_thumbnails" t using "again" a
        where t."file_id" = a."file_id" and a."mime_type" <> 'application/pdf' returning t."object_key"
      ), "parts" as (
        select "object_key", row_number() over () / 500 as "part" from "gone"
      ), "removed" as (
        insert into "jobs" ("queue", "name", "payload", "priority", "run_at", "max_attempts", "created_at")
        select 'default', 'files.delete-objects', jsonb_build_object('objectKeys', jsonb_agg("object_key")), 0, now(), 180, now()
        from "parts" group by "part"
      )
      insert into "jobs" ("queue", "name", "payload", "priority", "run_at", "max_attempts", "created_at")
      select 'documents', 'files.draw-first-pages', jsonb_build_object('fileId', "file_id"), 1, now(), 5, now() from "again";
    `);
  }
}
