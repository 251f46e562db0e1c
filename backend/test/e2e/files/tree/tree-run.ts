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
const toIdLists = (items: readonly TreeItem[]) => ({
  fileIds: items.filter(({ kind }) => kind === 'file').map(({ id }) => id),
  folderIds: items.filter(({ kind }) => kind === 'folder').map(({ id }) => id),
});
