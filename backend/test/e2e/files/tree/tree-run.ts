import * as fc from 'fast-check';
import { normaliseForComparison } from '../../../../src/platform/text/normalise-for-search.js';
import { createZone, join, type Actor, type TestZone } from '../../../support/people/actors.js';
import type { World } from '../../../support/world.js';
import { send } from '../upload/files-forms.js';
import { TreeComparison } from './tree-comparison.js';
import { DEEPEST, TreeModel, type Entry, type Item, type ModelFile, type ModelFolder } from './tree-model.js';

const names = fc.constantFrom('a', 'A', 'b', 'ısı', 'ISI', 'a (1)');
const which = fc.nat(1000);
const some = fc.array(which, { minLength: 1, maxLength: 3 });

/** One step: numbers choose among what is there when its turn comes. */
export const commands = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('folder' as const), zone: which, at: which, name: names }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('upload' as const),
        zone: which,
        at: which,
        name: names,
        size: fc.nat(50),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), zone: which, at: which, items: some }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), item: which, name: names }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), zone: which, items: some }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('restore' as const), entry: which, all: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const), entry: which }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('mirror' as const), folder: which, name: names }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('unmirror' as const), mount: which }) },
  ),
  { minLength: 15, maxLength: 40, size: 'max' },
);
export type Command = (typeof commands extends fc.Arbitrary<infer T> ? T : never)[number];
type Of<K extends Command['do']> = Extract<Command, { do: K }>;

interface Answer {
  readonly status: number;
  readonly body: Record<string, never> & { code?: string; id?: number };
}

/** The product and the model side by side: each step is done in both, and they must agree. */
export class TreeRun {
  private readonly model = new TreeModel();
  private readonly comparison: TreeComparison;
  /** How often steps went well, or came to what refusal. */
  readonly tally = new Map<string, number>();

  private constructor(
    private readonly world: World,
    private readonly owner: Actor,
    private readonly zones: readonly TestZone[],
    members: readonly Actor[],
  ) {
    this.comparison = new TreeComparison(world, this.model, owner, zones, members);
  }

  /** Two new zones of the owner, with one member each. */
  static async open(world: World, owner: Actor, members: readonly Actor[]): Promise<TreeRun> {
    const zones = [await createZone(owner), await createZone(owner)];
    for (const [at, zone] of zones.entries()) await join(zone, members[at]!);
    return new TreeRun(world, owner, zones, members);
  }

  async close(): Promise<void> {
    for (const { id } of this.zones) await this.owner.client.delete(`/api/zones/${id}`).expect(204);
    await this.world.inside.drain();
  }

  async step(command: Command): Promise<void> {
    const step = this[command.do] as (command: Command) => Promise<void>;
    await step.call(this, command);
    await this.comparison.compare();
  }

  private zone(at: number): number {
    return this.zones[at % this.zones.length]!.id;
  }

  private foldersOf(zoneId: number): ModelFolder[] {
    return [...this.model.folders.values()].filter((folder) => folder.zoneId === zoneId);
  }

  private itemsOf(zoneId: number): Item[] {
    const files = [...this.model.files.values()].filter((file) => file.zoneId === zoneId);
    return [
      ...this.foldersOf(zoneId).map(({ id }): Item => ({ kind: 'folder', id })),
      ...files.map(({ id }): Item => ({ kind: 'file', id })),
    ];
  }

  /** Null, the root, is one of the places; the newest folder is often taken, so that trees become deep. */
  private place(zoneId: number, at: number): number | null {
    const places = [null, ...this.foldersOf(zoneId).map(({ id }) => id)];
    return at % 2 === 0 ? places.at(-1)! : places[at % places.length]!;
  }

  private chosen(zoneId: number, at: readonly number[]): Item[] {
    const items = this.itemsOf(zoneId);
    const chosen = items.length === 0 ? [] : at.map((one) => items[one % items.length]!);
    return [...new Map(chosen.map((item) => [`${item.kind}${item.id}`, item])).values()];
  }

  /** One of the possible refusals must have come; without any it must have gone well. */
  private judge(command: Command['do'], answer: Answer, possible: readonly (string | null | false)[]): boolean {
    const refusals = possible.filter((code) => typeof code === 'string');
    const outcome = answer.status < 300 ? 'ok' : String(answer.body.code);
    this.tally.set(`${command} ${outcome}`, (this.tally.get(`${command} ${outcome}`) ?? 0) + 1);
    expect({ command, refusals, outcome }).toEqual({
      command,
      refusals,
      outcome: refusals.length === 0 ? 'ok' : (refusals.find((code) => code === outcome) ?? refusals.join(' or ')),
    });
    return outcome === 'ok';
  }

  private async folder({ zone, at, name }: Of<'folder'>): Promise<void> {
    const zoneId = this.zone(zone);
    const parentId = this.place(zoneId, at);
    const answer = await this.owner.client.post(`/api/zones/${zoneId}/folders`).send({ name, parentId });
    const tooDeep = this.model.depthOf(parentId) >= DEEPEST && 'FOLDER_TOO_DEEP';
    const taken = this.model.isTaken('folder', zoneId, parentId, name) && 'DUPLICATE_NAMES';
    const refusal = this.model.refusal(zoneId, parentId);
    if (!this.judge('folder', answer, refusal ? [refusal] : [tooDeep, taken])) return;
    const { id } = answer.body;
    this.model.folders.set(id, { id, zoneId, parentId, name, trashId: null, sourceId: null });
  }

  private async upload({ zone, at, name: stem, size }: Of<'upload'>): Promise<void> {
    const zoneId = this.zone(zone);
    const parentId = this.place(zoneId, at);
    const name = `${stem}.txt`;
    const query = parentId === null ? '' : `?folderId=${parentId}`;
    const answer = await send(this.owner.client, zoneId, [{ name, body: 'x'.repeat(size) }], query);
    const taken = this.model.isTaken('file', zoneId, parentId, name) && 'DUPLICATE_NAMES';
    const refusal = this.model.refusal(zoneId, parentId);
    if (!this.judge('upload', answer, refusal ? [refusal] : [taken])) return;
    const id = answer.body[0].id as number;
    this.model.files.set(id, { id, zoneId, parentId, name, size, trashId: null });
  }

  private async move({ zone, at, items: wanted }: Of<'move'>): Promise<void> {
    const zoneId = this.zone(zone);
    const items = this.chosen(zoneId, wanted);
    const targetFolderId = this.place(zoneId, at);
    const answer = await this.post(zoneId, 'move', { ...idsOf(items), targetFolderId });
    if (!this.judge('move', answer, this.refusalsOfMove(zoneId, items, targetFolderId))) return;
    for (const item of items) this.model.node(item).parentId = targetFolderId;
  }

  private refusalsOfMove(zoneId: number, items: readonly Item[], target: number | null): (string | null | false)[] {
    const { model } = this;
    if (items.length === 0) return ['NOTHING_CHOSEN', model.refusal(zoneId, target)];
    const gone = this.refusalsOf(items);
    const mirror = items.some((item) => isMount(model.node(item))) && 'MIRROR_READ_ONLY';
    const refusal = model.refusal(zoneId, target);
    const folders = new Set(items.filter(({ kind }) => kind === 'folder').map(({ id }) => id));
    const early = [...gone, mirror, refusal].filter(Boolean) as string[];
    if (early.length > 0) return early;
    if (model.isIn(target, folders)) return ['MOVE_INTO_ITSELF'];
    const moving = items.filter((item) => model.node(item).parentId !== target);
    const keys = moving.map((item) => `${item.kind} ${normaliseForComparison(model.node(item).name)}`);
    const clash =
      new Set(keys).size < keys.length ||
      moving.some((item) => model.isTaken(item.kind, zoneId, target, model.node(item).name, moving));
    return [clash && 'DUPLICATE_NAMES', this.becomesTooDeep(moving, target) && 'FOLDER_TOO_DEEP'];
  }

  /** Tried out in the model itself, and taken back. */
  private becomesTooDeep(moving: readonly Item[], target: number | null): boolean {
    const { model } = this;
    const before = moving.map((item) => model.node(item).parentId);
    for (const item of moving) model.node(item).parentId = target;
    const deep = moving.some(
      ({ kind, id }) => kind === 'folder' && model.depthOf(target) + model.heightOf(id) > DEEPEST,
    );
    for (const [at, item] of moving.entries()) model.node(item).parentId = before[at]!;
    return deep;
  }

  private refusalsOf(items: readonly Item[]): string[] {
    return items
      .filter((item) => this.model.node(item).trashId !== null)
      .map(({ kind }) => (kind === 'folder' ? 'FOLDER_NOT_FOUND' : 'FILE_NOT_FOUND'));
  }

  private async rename({ item: at, name: stem }: Of<'rename'>): Promise<void> {
    const items = [...this.itemsOf(this.zone(0)), ...this.itemsOf(this.zone(1))];
    if (items.length === 0) return;
    const item = items[at % items.length]!;
    const node = this.model.node(item);
    const name = item.kind === 'folder' ? stem : `${stem}.txt`;
    const answer =
      item.kind === 'folder'
        ? await this.owner.client.patch(`/api/folders/${item.id}`).send({ name })
        : await this.owner.client.patch(`/api/files/${item.id}/rename`).send({ originalName: name });
    const gone = this.refusalsOf([item])[0] ?? (this.isHidden(node) && 'FOLDER_NOT_FOUND');
    const taken = this.model.isTaken(item.kind, node.zoneId, node.parentId, name, [item]) && 'DUPLICATE_NAMES';
    if (this.judge('rename', answer, gone ? [gone] : [taken])) node.name = name;
  }

  private isHidden(node: ModelFolder | ModelFile): boolean {
    return isMount(node) && !this.model.isShown(node);
  }

  private async delete({ zone, items: wanted }: Of<'delete'>): Promise<void> {
    const zoneId = this.zone(zone);
    const items = this.chosen(zoneId, wanted);
    const answer = await this.post(zoneId, 'delete', idsOf(items));
    if (this.judge('delete', answer, items.length === 0 ? ['NOTHING_CHOSEN'] : this.refusalsOf(items))) {
      this.model.trash(items, zoneId, String(answer.body.trashId));
    }
  }

  private async restore({ entry: at, all }: Of<'restore'>): Promise<void> {
    const entry = this.entry(at);
    if (!entry) return;
    const { zoneId, trashId } = entry;
    const answer = await this.post(zoneId, 'trash/restore', all ? { trashId } : idsOf([entry]));
    if (!this.judge('restore', answer, [])) return;
    const restored = answer.body as unknown as { kind: string; id: number; name: string; folderId: number | null }[];
    const expected = all ? this.model.entries.filter((other) => other.trashId === trashId) : [entry];
    expect(restored).toHaveLength(expected.length);
    for (const { kind, id, name, folderId } of restored) {
      const found = expected.find((other) => other.kind === kind && other.id === id)!;
      // Where it was, or at the root when that is not there any more or has become too deep.
      expect([this.model.node(found).parentId, null]).toContain(folderId);
      this.model.restore(found, name, folderId);
    }
  }

  private async purge({ entry: at }: Of<'purge'>): Promise<void> {
    const entry = this.entry(at);
    if (!entry) return;
    const parts = this.model.partsOf(entry).filter(({ kind }) => kind === 'file');
    const answer = await this.post(entry.zoneId, 'trash/purge', idsOf([entry]));
    if (!this.judge('purge', answer, [])) return;
    expect(answer.body).toMatchObject({ files: parts.length });
    await this.world.inside.drain();
    this.model.purge(entry);
  }

  private async mirror({ folder: at, name: targetFolderName }: Of<'mirror'>): Promise<void> {
    const folders = [...this.model.folders.values()];
    if (folders.length === 0) return;
    const source = folders[at % folders.length]!;
    const target = this.zones.find(({ id }) => id !== source.zoneId)!.id;
    const body = { sourceFolderId: source.id, targetZoneId: target, targetFolderName, mirrorType: 'one_way' };
    const answer = await this.post(source.zoneId, 'folder-mirrors', body);
    const gone = (source.trashId !== null || this.isHidden(source)) && 'FOLDER_NOT_FOUND';
    const ofMirror = source.sourceId !== null && 'MIRROR_OF_MIRROR';
    const twice = folders.some(({ zoneId, sourceId }) => zoneId === target && sourceId === source.id);
    const taken = this.model.isTaken('folder', target, null, targetFolderName);
    const late = [twice && 'DUPLICATE_MIRROR', taken && 'DUPLICATE_NAMES'];
    if (!this.judge('mirror', answer, gone || ofMirror ? [gone, ofMirror] : late)) return;
    const id = answer.body.targetFolderId as unknown as number;
    const mount = { id, zoneId: target, parentId: null, name: targetFolderName, trashId: null, sourceId: source.id };
    this.model.folders.set(id, mount);
  }

  private async unmirror({ mount: at }: Of<'unmirror'>): Promise<void> {
    const mounts = [...this.model.folders.values()].filter(isMount);
    if (mounts.length === 0) return;
    const mount = mounts[at % mounts.length]!;
    const answer = await this.owner.client.delete(`/api/folders/${mount.id}`);
    if (this.judge('unmirror', answer, [this.isHidden(mount) && 'FOLDER_NOT_FOUND']))
      this.model.folders.delete(mount.id);
  }

  private entry(at: number): Entry | undefined {
    return this.model.entries[at % this.model.entries.length];
  }

  private async post(zoneId: number, what: string, body: object): Promise<Answer> {
    return this.owner.client.post(`/api/zones/${zoneId}/${what}`).send(body);
  }
}

const isMount = (node: ModelFolder | ModelFile): node is ModelFolder => 'sourceId' in node && node.sourceId !== null;
const idsOf = (items: readonly Item[]) => ({
  fileIds: items.filter(({ kind }) => kind === 'file').map(({ id }) => id),
  folderIds: items.filter(({ kind }) => kind === 'folder').map(({ id }) => id),
});
