import { Migration } from '@mikro-orm/migrations';

export class Migration012MountsGoWithMirrors extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function "folder_mirrors_take_mount_fn"() returns trigger as $$ begin delete from folders where id = old.target_folder_id; return old; end; $$ language plpgsql;
      create trigger "take_mount" AFTER DELETE on "folder_mirrors" for each ROW execute function "folder_mirrors_take_mount_fn"();
    `);
  }
}
