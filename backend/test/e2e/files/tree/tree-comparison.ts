import { MikroORM, RequestContext } from '@mikro-orm/postgresql';
import { FileAccessRepository } from '../../../../src/modules/files/access/file-access.repository.js';
import { normaliseForComparison } from '../../../../src/platform/text/normalise-for-search.js';
import type { Actor, TestZone } from '../../../support/people/actors.js';
import type { World } from '../../../support/world.js';
import { MAX_DEPTH, type ModelFile, type ModelFolder, type TreeModel } from './tree-model.js';

/** Compares the product's state with the model's. */
export class TreeComparison {
  constructor(
    private readonly world: World,
    private readonly model: TreeModel,
    private readonly owner: Actor,
    private readonly zones: readonly TestZone[],
    /** One member per zone, in the same order. */
    private readonly members: readonly Actor[],
  ) {}

  /** Checks all invariants after a step. */
  async compare(): Promise<void> {
    await this.compareRows();
    for (const { id } of this.model.folders.values()) expect(this.model.depthOf(id)).toBeLessThanOrEqual(MAX_DEPTH);
    this.compareNames();
    await this.compareCounts();
    await this.compareReadableItems();
  }

  private query<T>(sql: string, values: unknown[]): Promise<T[]> {
    return this.world.testApp.em().execute(sql, values) as Promise<T[]>;
  }

  private async compareRows(): Promise<void> {
    const [a, b] = this.zones.map(({ id }) => id);
    const folders = await this.query<Record<string, unknown>>(
      `select f.id::int as id, f.zone_id::int as "zoneId", f.parent_id::int as "parentId", f.name, f.trash_id as "trashId",
         r.source_folder_id::int as "sourceId"
       from folders f left join folder_mirrors r on r.target_folder_id = f.id
       where f.zone_id in (?, ?) order by f.id`,
      [a, b],
    );
    expect(folders).toEqual(sortById(this.model.folders));
    const files = await this.query<Record<string, unknown>>(
      `select id::int, zone_id::int as "zoneId", folder_id::int as "parentId", original_name as name, size::int,
         trash_id as "trashId" from files where zone_id in (?, ?) order by id`,
      [a, b],
    );
    expect(files).toEqual(sortById(this.model.files));
  }

  private compareNames(): void {
    for (const nodes of [this.model.folders, this.model.files] as Map<number, ModelFolder | ModelFile>[]) {
      const visible = [...nodes.values()].filter(({ trashId }) => trashId === null);
      const keys = visible.map(({ zoneId, parentId, name }) => `${zoneId} ${parentId} ${normaliseForComparison(name)}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  }

  private async compareCounts(): Promise<void> {
    const all = [...this.model.files.values()];
    for (const { id } of this.zones) {
      const files = all.filter(({ zoneId }) => zoneId === id);
      const folders = [...this.model.folders.values()].filter(
        ({ zoneId, trashId, sourceId }) => zoneId === id && trashId === null && sourceId === null,
      );
      const [stats] = await this.query('select files, folders, bytes::int from zone_stats where zone_id = ?', [id]);
      expect(stats).toEqual({
        files: files.filter(({ trashId }) => trashId === null).length,
        folders: folders.length,
        bytes: sumSizes(files),
      });
    }
    const [usage] = await this.query(
      `select used::int, reserved::int from usage where owner_id = ? and metric = 'bytes' and period = ''`,
      [this.owner.id],
    );
    expect(usage ?? { used: 0, reserved: 0 }).toEqual({ used: sumSizes(all), reserved: 0 });
  }

  /** For a member of each zone and the owner of both. */
  private async compareReadableItems(): Promise<void> {
    const { app } = this.world.testApp;
    const access = app.get(FileAccessRepository);
    const [fileIds, folderIds] = [[...this.model.files.keys()], [...this.model.folders.keys()]];
    const sortedIds = (found: { id: number }[]) => found.map(({ id }) => id).sort((x, y) => x - y);
    await RequestContext.create(app.get(MikroORM).em, async () => {
      for (const [index, { id }] of this.zones.entries()) {
        const member = this.members[index]!.id;
        expect(sortedIds(await access.findFiles(fileIds, member))).toEqual(this.model.listReadableFileIds(id));
        expect(sortedIds(await access.findFolders(folderIds, member))).toEqual(this.model.listReadableFolderIds(id));
      }
      const owned = this.zones.flatMap(({ id }) => this.model.listReadableFileIds(id));
      const all = [...new Set(owned)].sort((x, y) => x - y);
      expect(sortedIds(await access.findFiles(fileIds, this.owner.id))).toEqual(all);
    });
  }
}

const sumSizes = (files: readonly ModelFile[]) => files.reduce((sum, { size }) => sum + size, 0);
const sortById = <T extends { id: number }>(nodes: Map<number, T>) => [...nodes.values()].sort((a, b) => a.id - b.id);
