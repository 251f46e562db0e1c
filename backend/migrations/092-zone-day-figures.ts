import { Migration } from '@mikro-orm/migrations';

export class Migration092ZoneDayFigures extends Migration {
  override up(): void {
    this.addSql(`
      create index "zone_day_figures_index" on "zone_day" ("zone_id", "day") include ("views", "downloads", "joins", "leaves");
    `);
  }
}
