import * as fc from 'fast-check';
import { normaliseForComparison } from '../../../../src/platform/text/normalise-for-search.js';
import { createZone, joinPublicZone, type Actor, type TestZone } from '../../../support/people/actors.js';
import type { World } from '../../../support/world.js';
import { postFiles } from '../upload/multipart-helpers.js';
import { TreeComparison } from './tree-comparison.js';
import {
  MAX_DEPTH,
  TreeModel,
  type ModelTrashEntry,
  type TreeItem,
  type ModelFile,
  type ModelFolder,
} from './tree-model.js';

const names = fc.constantFrom('a', 'A', 'b', 'ısı', 'ISI', 'a (1)');
const anyIndex = fc.nat(1000);
const conflictRules = fc.constantFrom('rename' as const, 'replace' as const, 'skip' as const);
const anyIndexes = fc.array(anyIndex, { minLength: 1, maxLength: 3 });

/** One step; its numbers select among the items that exist when it runs. */
export const commands = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('folder' as const), zone: anyIndex, at: anyIndex, name: names }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('upload' as const),
        zone: anyIndex,
        at: anyIndex,
        name: names,
        size: fc.nat(50),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('move' as const), zone: anyIndex, at: anyIndex, items: anyIndexes }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('transfer' as const),
        zone: anyIndex,
        at: anyIndex,
        items: anyIndexes,
        rule: conflictRules,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('copy' as const),
        zone: anyIndex,
        to: anyIndex,
        at: anyIndex,
        items: anyIndexes,
        rule: conflictRules,
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), item: anyIndex, name: names }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), zone: anyIndex, items: anyIndexes }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('restore' as const), entry: anyIndex, all: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const), entry: anyIndex }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('mirror' as const), folder: anyIndex, name: names }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('unmirror' as const), mount: anyIndex }) },
  ),
  { minLength: 15, maxLength: 40, size: 'max' },
);
export type Command = (typeof commands extends fc.Arbitrary<infer T> ? T : never)[number];
type CommandOf<K extends Command['do']> = Extract<Command, { do: K }>;

/** Where items are copied or moved. */
interface Place {
  readonly zoneId: number;
  readonly folderId: number | null;
  readonly rule: 'rename' | 'replace' | 'skip';
}

interface ApiResponse {
  readonly status: number;
  readonly body: Record<string, never> & { code?: string; id?: number };
}

/** Runs each step in the product and the model and requires the same result. */
export class TreeRun {
  private readonly model = new TreeModel();
  private readonly comparison: TreeComparison;
  /** Number of steps by outcome: success or error code. */
  readonly outcomeCounts = new Map<string, number>();

  private constructor(
    private readonly world: World,
    private readonly owner: Actor,
    private readonly zones: readonly TestZone[],
    members: readonly Actor[],
  ) {
    this.comparison = new TreeComparison(world, this.model, owner, zones, members);
  }

  /** Opens two new zones of the owner, with one member each. */
  static async open(world: World, owner: Actor, members: readonly Actor[]): Promise<TreeRun> {
    const zones = [await createZone(owner), await createZone(owner)];
    for (const [index, zone] of zones.entries()) await joinPublicZone(zone, members[index]!);
    return new TreeRun(world, owner, zones, members);
  }

  async close(): Promise<void> {
    for (const { id } of this.zones) await this.owner.client.delete(`/api/zones/${id}`).expect(204);
    await this.world.testApp.drain();
  }

  async step(command: Command): Promise<void> {
    const step = this[command.do] as (command: Command) => Promise<void>;
    await step.call(this, command);
    await this.comparison.compare();
  }

  private zoneIdAt(at: number): number {
    return this.zones[at % this.zones.length]!.id;
  }

  private listFolders(zoneId: number): ModelFolder[] {
    return [...this.model.folders.values()].filter((folder) => folder.zoneId === zoneId);
  }

  private listItems(zoneId: number): TreeItem[] {
    const files = [...this.model.files.values()].filter((file) => file.zoneId === zoneId);
    return [
      ...this.listFolders(zoneId).map(({ id }): TreeItem => ({ kind: 'folder', id })),
      ...files.map(({ id }): TreeItem => ({ kind: 'file', id })),
    ];
  }

  /** Null, the root, is one of the folders; the newest is chosen often, so that trees become deep. */
  private folderIdAt(zoneId: number, at: number): number | null {
    const candidates = [null, ...this.listFolders(zoneId).map(({ id }) => id)];
    return at % 2 === 0 ? candidates.at(-1)! : candidates[at % candidates.length]!;
  }

  private itemsAt(zoneId: number, at: readonly number[]): TreeItem[] {
    const items = this.listItems(zoneId);
    const chosen = items.length === 0 ? [] : at.map((position) => items[position % items.length]!);
    return [...new Map(chosen.map((item) => [`${item.kind}${item.id}`, item])).values()];
  }

  /** Expects one of the possible errors, or success if there are none. */
  private checkOutcome(
    command: Command['do'],
    response: ApiResponse,
    expectedErrors: readonly (string | null | false)[],
  ): boolean {
    const errorCodes = expectedErrors.filter((code) => typeof code === 'string');
    const outcome = response.status < 300 ? 'ok' : String(response.body.code);
    this.outcomeCounts.set(`${command} ${outcome}`, (this.outcomeCounts.get(`${command} ${outcome}`) ?? 0) + 1);
    expect({ command, refusals: errorCodes, outcome }).toEqual({
      command,
      refusals: errorCodes,
      outcome:
        errorCodes.length === 0 ? 'ok' : (errorCodes.find((code) => code === outcome) ?? errorCodes.join(' or ')),
    });
    return outcome === 'ok';
  }

  private async folder({ zone, at, name }: CommandOf<'folder'>): Promise<void> {
    const zoneId = this.zoneIdAt(zone);
    const parentId = this.folderIdAt(zoneId, at);
    const answer = await this.owner.client.post(`/api/zones/${zoneId}/folders`).send({ name, parentId });
    const tooDeep = this.model.depthOf(parentId) >= MAX_DEPTH && 'FOLDER_TOO_DEEP';
    const taken = this.model.isTaken('folder', zoneId, parentId, name) && 'DUPLICATE_NAMES';
    const expectedError = this.model.writeErrorOf(zoneId, parentId);
    if (!this.checkOutcome('folder', answer, expectedError ? [expectedError] : [tooDeep, taken])) return;
    const { id } = answer.body;
    this.model.folders.set(id, { id, zoneId, parentId, name, trashId: null, sourceId: null });
  }

  private async upload({ zone, at, name: stem, size }: CommandOf<'upload'>): Promise<void> {
    const zoneId = this.zoneIdAt(zone);
    const parentId = this.folderIdAt(zoneId, at);
    const name = `${stem}.txt`;
    const query = parentId === null ? '' : `?folderId=${parentId}`;
    const answer = await postFiles(this.owner.client, zoneId, [{ name, body: 'x'.repeat(size) }], query);
    const taken = this.model.isTaken('file', zoneId, parentId, name) && 'DUPLICATE_NAMES';
    const expectedError = this.model.writeErrorOf(zoneId, parentId);
    if (!this.checkOutcome('upload', answer, expectedError ? [expectedError] : [taken])) return;
    const id = answer.body[0].id as number;
    this.model.files.set(id, { id, zoneId, parentId, name, size, trashId: null });
  }

  private async move({ zone, at, items: wanted }: CommandOf<'move'>): Promise<void> {
    const zoneId = this.zoneIdAt(zone);
    const items = this.itemsAt(zoneId, wanted);
    const targetFolderId = this.folderIdAt(zoneId, at);
    const answer = await this.post(zoneId, 'move', { ...toIdLists(items), targetFolderId });
    if (!this.checkOutcome('move', answer, this.expectedMoveErrors(zoneId, items, targetFolderId))) return;
    for (const item of items) this.model.findNode(item).parentId = targetFolderId;
  }

  private expectedMoveErrors(
    zoneId: number,
    items: readonly TreeItem[],
    target: number | null,
  ): (string | null | false)[] {
    const { model } = this;
    if (items.length === 0) return ['NOTHING_CHOSEN', model.writeErrorOf(zoneId, target)];
    const notFound = this.notFoundErrors(items);
    const mirror = items.some((item) => isMirrorFolder(model.findNode(item))) && 'MIRROR_READ_ONLY';
    const expectedError = model.writeErrorOf(zoneId, target);
    const folders = new Set(items.filter(({ kind }) => kind === 'folder').map(({ id }) => id));
    const firstErrors = [...notFound, mirror, expectedError].filter(Boolean) as string[];
    if (firstErrors.length > 0) return firstErrors;
    if (model.isWithin(target, folders)) return ['MOVE_INTO_ITSELF'];
    const moving = items.filter((item) => model.findNode(item).parentId !== target);
    const keys = moving.map((item) => `${item.kind} ${normaliseForComparison(model.findNode(item).name)}`);
    const hasNameConflict =
      new Set(keys).size < keys.length ||
      moving.some((item) => model.isTaken(item.kind, zoneId, target, model.findNode(item).name, moving));
    return [hasNameConflict && 'DUPLICATE_NAMES', this.exceedsMaxDepth(moving, target) && 'FOLDER_TOO_DEEP'];
  }

  /** Tried in the model and reverted. */
  private exceedsMaxDepth(moving: readonly TreeItem[], target: number | null): boolean {
    const { model } = this;
    const previousParents = moving.map((item) => model.findNode(item).parentId);
    for (const item of moving) model.findNode(item).parentId = target;
    const isTooDeep = moving.some(
      ({ kind, id }) => kind === 'folder' && model.depthOf(target) + model.heightOf(id) > MAX_DEPTH,
    );
    for (const [index, item] of moving.entries()) model.findNode(item).parentId = previousParents[index]!;
    return isTooDeep;
  }

  private async transfer({ zone, at, items: wanted, rule }: CommandOf<'transfer'>): Promise<void> {
    const [from, to] = [this.zoneIdAt(zone), this.zoneIdAt(zone + 1)];
    const place: Place = { zoneId: to, folderId: this.folderIdAt(to, at), rule };
    const items = this.itemsAt(from, wanted);
    const placed = this.listPlaceable(this.withoutNested(items), place);
    const response = await this.postTransfer(from, 'transfer', items, place);
    const mirroredIn = (id: number) =>
      this.listFolders(to).some(({ sourceId }) => sourceId === id) ? 'MIRRORED_THERE' : null;
    const isExpected = this.checkOutcome(
      'transfer',
      response,
      this.expectedTransferErrors(items, placed, place, () => [
        ...this.model.listSubtree(folderIdsOf(placed)).map(({ id }) => mirroredIn(id)),
        this.exceedsMaxDepth(placed, place.folderId) && 'FOLDER_TOO_DEEP',
      ]),
    );
    if (!isExpected || !this.isAnythingPlaced(response, placed)) return;
    await this.trashReplaced(response, placed, place);
    this.model.moveToZone(placed, to, place.folderId);
    for (const [kind, table, column] of [
      ['folder', 'folders', 'name'],
      ['file', 'files', 'original_name'],
    ] as const) {
      for (const { id } of placed.filter((item) => item.kind === kind)) {
        const [row] = await this.query<{ name: string }>(`select ${column} as name from ${table} where id = ?`, [id]);
        const node = this.model.findNode({ kind, id });
        if (rule === 'skip') expect(row!.name).toBe(node.name);
        node.name = row!.name;
      }
    }
  }

  private async copy({ zone, to, at, items: wanted, rule }: CommandOf<'copy'>): Promise<void> {
    const [from, zoneId] = [this.zoneIdAt(zone), this.zoneIdAt(to)];
    const place: Place = { zoneId, folderId: this.folderIdAt(zoneId, at), rule };
    const items = this.itemsAt(from, wanted);
    const placed = this.listPlaceable(items, place);
    const depth = this.model.depthOf(place.folderId);
    const isExpected = (response: ApiResponse) =>
      this.checkOutcome(
        'copy',
        response,
        this.expectedTransferErrors(items, placed, place, () =>
          folderIdsOf(placed).map((id) => depth + this.model.heightOf(id) > MAX_DEPTH && 'FOLDER_TOO_DEEP'),
        ),
      );
    const response = await this.postTransfer(from, 'copy', items, place);
    if (!isExpected(response) || !this.isAnythingPlaced(response, placed)) return;
    const expectedPaths = placed.flatMap((item) => this.listPaths(item, '*')).sort();
    await this.trashReplaced(response, placed, place);
    const copies = await this.addNewRows(zoneId);
    const tops = copies.filter((copy) => this.model.findNode(copy).parentId === place.folderId);
    expect(tops.flatMap((item) => this.listPaths(item, '*')).sort()).toEqual(expectedPaths);
    expect(copies).toHaveLength(expectedPaths.length);
  }

  private postTransfer(from: number, path: string, items: readonly TreeItem[], { zoneId, folderId, rule }: Place) {
    const target = { targetZoneId: zoneId, targetFolderId: folderId, onConflict: rule };
    return this.post(from, path, { ...toIdLists(items), ...target });
  }

  /** @param laterErrors those that are found after the items that are skipped */
  private expectedTransferErrors(
    items: readonly TreeItem[],
    placed: readonly TreeItem[],
    { zoneId, folderId, rule }: Place,
    laterErrors: () => readonly (string | null | false)[],
  ): readonly (string | null | false)[] {
    const { model } = this;
    if (items.length === 0) return ['NOTHING_CHOSEN', model.writeErrorOf(zoneId, folderId)];
    const mirror = items.some((item) => isMirrorFolder(model.findNode(item))) && 'MIRROR_READ_ONLY';
    const firstErrors = [...this.notFoundErrors(items), mirror, model.writeErrorOf(zoneId, folderId)].filter(Boolean);
    if (firstErrors.length > 0) return firstErrors;
    const replaced = rule === 'replace' ? this.listTaken(placed, { zoneId, folderId, rule }) : [];
    const replacesMirror = replaced.some((item) => isMirrorFolder(model.findNode(item))) && 'MIRROR_READ_ONLY';
    return [replacesMirror, ...laterErrors()];
  }

  /** Items that aren't in another of them: folders take along what is in them. */
  private withoutNested(items: readonly TreeItem[]): TreeItem[] {
    const folders = new Set(folderIdsOf(items));
    return items.filter((item) => !this.model.isWithin(this.model.findNode(item).parentId, folders));
  }

  /** Items that the rule gives a place, by id. */
  private listPlaceable(items: readonly TreeItem[], place: Place): TreeItem[] {
    const keys = new Set(place.rule === 'skip' ? this.listTaken(items, place).map((item) => this.keyOf(item)) : []);
    return items
      .toSorted((a, b) => a.id - b.id)
      .filter((item) => {
        const { zoneId, parentId } = this.model.findNode(item);
        if (place.rule === 'replace') return zoneId !== place.zoneId || parentId !== place.folderId;
        const isTaken = keys.has(this.keyOf(item));
        if (place.rule === 'skip') keys.add(this.keyOf(item));
        return !isTaken;
      });
  }

  /** Items in the target that have the names. */
  private listTaken(items: readonly TreeItem[], { zoneId, folderId }: Place): TreeItem[] {
    const keys = new Set(items.map((item) => this.keyOf(item)));
    return this.listItems(zoneId).filter((item) => {
      const { parentId, trashId } = this.model.findNode(item);
      return trashId === null && parentId === folderId && keys.has(this.keyOf(item));
    });
  }

  private keyOf(item: TreeItem): string {
    return `${item.kind} ${normaliseForComparison(this.model.findNode(item).name)}`;
  }

  private isAnythingPlaced({ body }: ApiResponse, placed: readonly TreeItem[]): boolean {
    expect(body.undoId === null).toBe(placed.length === 0);
    return placed.length > 0;
  }

  private async trashReplaced({ body }: ApiResponse, placed: readonly TreeItem[], place: Place): Promise<void> {
    const replaced = place.rule === 'replace' ? this.listTaken(placed, place) : [];
    const [row] = await this.query<{ trashId: string | null }>(
      'select trash_id as "trashId" from transfers where id = ?',
      [body.undoId],
    );
    expect(row!.trashId === null).toBe(replaced.length === 0);
    if (row!.trashId !== null) this.model.moveToTrash(replaced, place.zoneId, row!.trashId);
  }

  /** Adds the rows of a zone that the model doesn't have. */
  private async addNewRows(zoneId: number): Promise<TreeItem[]> {
    const { model } = this;
    const folders = await this.query<{ id: number; name: string; parentId: number | null }>(
      'select id::int, name, parent_id::int as "parentId" from folders where zone_id = ?',
      [zoneId],
    );
    const files = await this.query<{ id: number; name: string; parentId: number | null; size: number }>(
      'select id::int, original_name as name, folder_id::int as "parentId", size::int from files where zone_id = ?',
      [zoneId],
    );
    const newFolders = folders.filter(({ id }) => !model.folders.has(id));
    const newFiles = files.filter(({ id }) => !model.files.has(id));
    for (const row of newFolders) model.folders.set(row.id, { ...row, zoneId, trashId: null, sourceId: null });
    for (const row of newFiles) model.files.set(row.id, { ...row, zoneId, trashId: null });
    return [
      ...newFolders.map(({ id }): TreeItem => ({ kind: 'folder', id })),
      ...newFiles.map(({ id }): TreeItem => ({ kind: 'file', id })),
    ];
  }

  /** Paths of an item and of everything in it, outside the trash; files with their size. */
  private listPaths(item: TreeItem, path: string): string[] {
    if (item.kind === 'file') return [`${path} ${this.model.files.get(item.id)!.size}`];
    const isInside = (node: ModelFolder | ModelFile) => node.parentId === item.id && node.trashId === null;
    return [
      `${path}/`,
      ...[...this.model.folders.values()]
        .filter(isInside)
        .flatMap(({ id, name }) => this.listPaths({ kind: 'folder', id }, `${path}/${name}`)),
      ...[...this.model.files.values()]
        .filter(isInside)
        .flatMap(({ id, name }) => this.listPaths({ kind: 'file', id }, `${path}/${name}`)),
    ];
  }

  private query<T extends object>(sql: string, params: unknown[]): Promise<T[]> {
    return this.world.testApp.em().execute<T[]>(sql, params);
  }

  private notFoundErrors(items: readonly TreeItem[]): string[] {
    return items
      .filter((item) => this.model.findNode(item).trashId !== null)
      .map(({ kind }) => (kind === 'folder' ? 'FOLDER_NOT_FOUND' : 'FILE_NOT_FOUND'));
  }

  private async rename({ item: at, name: stem }: CommandOf<'rename'>): Promise<void> {
    const items = [...this.listItems(this.zoneIdAt(0)), ...this.listItems(this.zoneIdAt(1))];
    if (items.length === 0) return;
    const item = items[at % items.length]!;
    const node = this.model.findNode(item);
    const name = item.kind === 'folder' ? stem : `${stem}.txt`;
    const answer =
      item.kind === 'folder'
        ? await this.owner.client.patch(`/api/folders/${item.id}`).send({ name })
        : await this.owner.client.patch(`/api/files/${item.id}/rename`).send({ originalName: name });
    const notFound = this.notFoundErrors([item])[0] ?? (this.isHidden(node) && 'FOLDER_NOT_FOUND');
    const taken = this.model.isTaken(item.kind, node.zoneId, node.parentId, name, [item]) && 'DUPLICATE_NAMES';
    if (this.checkOutcome('rename', answer, notFound ? [notFound] : [taken])) node.name = name;
  }

  private isHidden(node: ModelFolder | ModelFile): boolean {
    return isMirrorFolder(node) && !this.model.isVisible(node);
  }

  private async delete({ zone, items: wanted }: CommandOf<'delete'>): Promise<void> {
    const zoneId = this.zoneIdAt(zone);
    const items = this.itemsAt(zoneId, wanted);
    const answer = await this.post(zoneId, 'delete', toIdLists(items));
    if (this.checkOutcome('delete', answer, items.length === 0 ? ['NOTHING_CHOSEN'] : this.notFoundErrors(items))) {
      this.model.moveToTrash(items, zoneId, String(answer.body.trashId));
    }
  }

  private async restore({ entry: at, all }: CommandOf<'restore'>): Promise<void> {
    const entry = this.trashEntryAt(at);
    if (!entry) return;
    const { zoneId, trashId } = entry;
    const answer = await this.post(zoneId, 'trash/restore', all ? { trashId } : toIdLists([entry]));
    if (!this.checkOutcome('restore', answer, [])) return;
    const restored = answer.body as unknown as { kind: string; id: number; name: string; folderId: number | null }[];
    const expected = all ? this.model.trashEntries.filter((other) => other.trashId === trashId) : [entry];
    expect(restored).toHaveLength(expected.length);
    for (const { kind, id, name, folderId } of restored) {
      const found = expected.find((other) => other.kind === kind && other.id === id)!;
      // At its previous place, or at the root if that no longer exists or is too deep.
      expect([this.model.findNode(found).parentId, null]).toContain(folderId);
      this.model.restore(found, name, folderId);
    }
  }

  private async purge({ entry: at }: CommandOf<'purge'>): Promise<void> {
    const entry = this.trashEntryAt(at);
    if (!entry) return;
    const parts = this.model.listParts(entry).filter(({ kind }) => kind === 'file');
    const answer = await this.post(entry.zoneId, 'trash/purge', toIdLists([entry]));
    if (!this.checkOutcome('purge', answer, [])) return;
    expect(answer.body).toMatchObject({ files: parts.length });
    await this.world.testApp.drain();
    this.model.purge(entry);
  }

  private async mirror({ folder: at, name: targetFolderName }: CommandOf<'mirror'>): Promise<void> {
    const folders = [...this.model.folders.values()];
    if (folders.length === 0) return;
    const source = folders[at % folders.length]!;
    const target = this.zones.find(({ id }) => id !== source.zoneId)!.id;
    const body = { sourceFolderId: source.id, targetZoneId: target, targetFolderName, mirrorType: 'one_way' };
    const answer = await this.post(source.zoneId, 'folder-mirrors', body);
    const notFound = (source.trashId !== null || this.isHidden(source)) && 'FOLDER_NOT_FOUND';
    const ofMirror = source.sourceId !== null && 'MIRROR_OF_MIRROR';
    const twice = folders.some(({ zoneId, sourceId }) => zoneId === target && sourceId === source.id);
    const taken = this.model.isTaken('folder', target, null, targetFolderName);
    const conflicts = [twice && 'DUPLICATE_MIRROR', taken && 'DUPLICATE_NAMES'];
    if (!this.checkOutcome('mirror', answer, notFound || ofMirror ? [notFound, ofMirror] : conflicts)) return;
    const id = answer.body.targetFolderId as unknown as number;
    const mount = { id, zoneId: target, parentId: null, name: targetFolderName, trashId: null, sourceId: source.id };
    this.model.folders.set(id, mount);
  }

  private async unmirror({ mount: at }: CommandOf<'unmirror'>): Promise<void> {
    const mounts = [...this.model.folders.values()].filter(isMirrorFolder);
    if (mounts.length === 0) return;
    const mount = mounts[at % mounts.length]!;
    const answer = await this.owner.client.delete(`/api/folders/${mount.id}`);
    if (this.checkOutcome('unmirror', answer, [this.isHidden(mount) && 'FOLDER_NOT_FOUND']))
      this.model.folders.delete(mount.id);
  }

  private trashEntryAt(at: number): ModelTrashEntry | undefined {
    return this.model.trashEntries[at % this.model.trashEntries.length];
  }

  private async post(zoneId: number, path: string, body: object): Promise<ApiResponse> {
    return this.owner.client.post(`/api/zones/${zoneId}/${path}`).send(body);
  }
}

const isMirrorFolder = (node: ModelFolder | ModelFile): node is ModelFolder =>
  'sourceId' in node && node.sourceId !== null;
const folderIdsOf = (items: readonly TreeItem[]) => items.filter(({ kind }) => kind === 'folder').map(({ id }) => id);
const toIdLists = (items: readonly TreeItem[]) => ({
  fileIds: items.filter(({ kind }) => kind === 'file').map(({ id }) => id),
  folderIds: items.filter(({ kind }) => kind === 'folder').map(({ id }) => id),
});
