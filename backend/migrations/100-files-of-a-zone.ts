import { Migration } from '@mikro-orm/migrations';

/** The files of a whole zone, the newest first. */
export class Migration100FilesOfAZone extends Migration {
  override up(): void {
    this.addSql(
      'create index "files_zone_id_created_at_id_index" on "files" ("zone_id", "created_at", "id") where "trashed_at" is null;',
    );
  }
}
