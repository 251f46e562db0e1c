import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { runInPoolPartition } from '../../database/pool/pool-partitioning.js';
import { AppError } from '../../errors/app-error.js';
import { StartupError } from '../../errors/startup-error.js';
import { InstanceRegistryService } from '../../health/instances/instance-registry.service.js';
import type { GrowingObject, GrowingState } from '../growing-object.js';
import type { Multipart } from '../multipart.js';
import { parseMark } from '../ownership/storage-mark.js';
import { StorageDrivers } from '../storage-drivers.js';
import { storageErrors } from '../storage.errors.js';
import {
  Storage,
  type ByteRange,
  type FindReferenced,
  type ObjectInfo,
  type OpenObject,
  type SignedPart,
  type SignedUrlOptions,
  type StorageType,
  type WriteOptions,
  type WriteResult,
} from '../storage.js';
import { isSameLocation, toLocation } from './storage-location.js';
import { StorageMoveRepository, type StorageMoveRow } from './storage-move.repository.js';

/** The storages in use: one, or two while the files move. */
interface StoragesInUse {
  /** New objects are written here; read first. */
  readonly primary: Storage;
  /** The other one of a move. */
  readonly secondary: Storage | null;
  readonly secondaryUrl: string | null;
  /** The one that had the objects first; the primary until the switch. */
  readonly source: Storage;
  /** Location of the primary. */
  readonly url: string;
}

/**
 * The storage of this installation without ownership checks: the one that STORAGE_URL names, or both storages of a move
 * to another. Processes needn't switch in the same moment, because each reads and deletes in both.
 */
export class CurrentStorage extends Storage {
  private readonly logger = new Logger('Storage');
  /** Identifies the state of the move that `inUse` corresponds to. */
  private applied = '';
  private refreshing: Promise<void> | null = null;

  private constructor(
    private readonly config: AppConfig,
    private readonly drivers: StorageDrivers,
    private readonly moves: StorageMoveRepository,
    private readonly instances: InstanceRegistryService,
    private inUse: StoragesInUse,
  ) {
    super();
  }

  /** Begins with the storage of STORAGE_URL. */
  static async create(
    this: void,
    config: AppConfig,
    drivers: StorageDrivers,
    moves: StorageMoveRepository,
    instances: InstanceRegistryService,
  ): Promise<CurrentStorage> {
    const storage = await drivers.open();
    const inUse = { primary: storage, secondary: null, secondaryUrl: null, source: storage, url: config.storageUrl };
    return new CurrentStorage(config, drivers, moves, instances, inUse);
  }

  /**
   * Determines which storages are used; called once, before anything is stored.
   * @throws StartupError if STORAGE_URL doesn't name a storage that has the files
   */
  async open(): Promise<void> {
    const move = await this.moves.findEffective();
    const former = await this.moves.listDone();
    const sentence = explainWrongUrl(
      this.config.storageUrl,
      move,
      former.map(({ sourceUrl }) => sourceUrl),
    );
    if (sentence !== null) throw new StartupError(sentence);
    await this.apply(move);
    if (move?.state === 'switched' && isSameLocation(this.config.storageUrl, move.sourceUrl)) {
      this.logger.warn(`The files have been moved. Set STORAGE_URL=${move.targetUrl} and restart.`);
    }
  }

  /**
   * Asks the database whether a move has begun, switched or ended.
   * @returns whether other storages are used from now on; false if the database can't be asked
   */
  async refresh(): Promise<boolean> {
    const before = this.inUse;
    try {
      await (this.refreshing ??= this.load().finally(() => (this.refreshing = null)));
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't find out whether the files are being moved");
    }
    return this.inUse !== before;
  }

  /** Location of the storage to which new objects are written. */
  get url(): string {
    return this.inUse.url;
  }

  /** The folder to which new objects are written; null if that is a bucket. */
  get folder(): string | null {
    return this.url.startsWith('file:') ? fileURLToPath(this.url) : null;
  }

  get type(): StorageType {
    return this.inUse.primary.type;
  }

  override get types(): readonly StorageType[] {
    return this.all.map(({ type }) => type);
  }

  override get folders(): readonly string[] {
    return this.all.flatMap(({ folders }) => folders);
  }

  override get markCacheTime(): number {
    return this.inUse.primary.markCacheTime;
  }

  override get canGrow(): boolean {
    return this.inUse.primary.canGrow;
  }

  readMark(): Promise<string | null> {
    return this.inUse.primary.readMark();
  }

  writeMark(text: string, first: boolean): Promise<void> {
    return this.inUse.primary.writeMark(text, first);
  }

  write(key: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<WriteResult> {
    return this.inUse.primary.write(key, source, options);
  }

  /** An upload that began before the switch is completed where it began; its object is copied later. */
  override async openGrowing(key: string, state: GrowingState): Promise<GrowingObject | null> {
    const { primary, source } = this.inUse;
    const isInSource = source !== primary && state.size > 0 && (await source.hasUnfinished(key));
    return (isInSource ? source : primary).openGrowing(key, state);
  }

  /** In the secondary if the primary is a folder: an upload that began in a bucket before the switch needs another one. */
  override async beginMultipart(key: string): Promise<string> {
    const { primary, secondary, url, secondaryUrl } = this.inUse;
    if (secondary === null || secondaryUrl === null || !primary.canGrow)
      return toTaggedId(url, await primary.beginMultipart(key));
    return toTaggedId(secondaryUrl, await secondary.beginMultipart(key));
  }

  override async sendPart(multipart: Multipart, number: number, bytes: Buffer<ArrayBuffer>): Promise<string | null> {
    const { objectKey } = multipart;
    const [tag, remoteId] = splitTaggedId(multipart.remoteId);
    return (await this.findByTag(tag)?.sendPart({ objectKey, remoteId }, number, bytes)) ?? null;
  }

  /** Not while the files move: the policy of pages allows only the bucket of STORAGE_URL. */
  override get acceptsDirectParts(): boolean {
    return this.inUse.secondary === null && this.inUse.primary.acceptsDirectParts;
  }

  override async signPart(
    multipart: Multipart,
    number: number,
    bytes: number,
    lifetime: number,
  ): Promise<SignedPart | null> {
    const { objectKey } = multipart;
    const [tag, remoteId] = splitTaggedId(multipart.remoteId);
    return (await this.findByTag(tag)?.signPart({ objectKey, remoteId }, number, bytes, lifetime)) ?? null;
  }

  override async completeMultipart(multipart: Multipart, etags: readonly string[], size: number): Promise<boolean> {
    const { objectKey } = multipart;
    const [tag, remoteId] = splitTaggedId(multipart.remoteId);
    return (await this.findByTag(tag)?.completeMultipart({ objectKey, remoteId }, etags, size)) ?? false;
  }

  override async abortMultipart({ objectKey, remoteId: taggedId }: Multipart): Promise<void> {
    const [tag, remoteId] = splitTaggedId(taggedId);
    await this.findByTag(tag)?.abortMultipart({ objectKey, remoteId });
  }

  override async hasUnfinished(key?: string): Promise<boolean> {
    for (const storage of this.all) if (await storage.hasUnfinished(key)) return true;
    return false;
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return this.readAnywhere((storage) => storage.read(key, range));
  }

  override openRange(key: string, range: ByteRange): Promise<OpenObject> {
    return this.readAnywhere((storage) => storage.openRange(key, range));
  }

  override readWhole(key: string, size: number): Promise<Buffer> {
    return this.readAnywhere((storage) => storage.readWhole(key, size));
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const { primary, secondary } = this.inUse;
    const found = (await primary.stat(key)) ?? (await secondary?.stat(key)) ?? null;
    if (found !== null) return found;
    await this.assertSameOwner();
    // A process that has already learnt of a move may have stored it elsewhere.
    return (await this.refresh()) ? this.stat(key) : null;
  }

  override statConfigured(key: string): Promise<ObjectInfo | null> {
    return this.configured.then((storage) => storage.stat(key));
  }

  /** First in the source: the command looks after each copy whether the source still has the object. */
  async delete(key: string): Promise<void> {
    await this.assertSameOwner();
    for (const storage of this.all) await storage.delete(key);
  }

  override async move(from: string, to: string): Promise<boolean> {
    await this.assertSameOwner();
    let isMoved = false;
    for (const storage of this.all) isMoved = (await storage.move(from, to)) || isMoved;
    return isMoved;
  }

  /** Within the primary if the object is there, else by reading and writing it. */
  override async copy(from: string, to: string): Promise<void> {
    const { primary } = this.inUse;
    if (await primary.stat(from)) await primary.copy(from, to);
    else await super.copy(from, to);
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    const [first, second] = this.all;
    const seen = new Set<string>();
    for await (const object of first!.list(prefix)) {
      if (second) seen.add(object.key);
      yield object;
    }
    if (second) for await (const object of second.list(prefix)) if (!seen.has(object.key)) yield object;
  }

  async removeUnfinished(before: Date, findReferenced?: FindReferenced): Promise<void> {
    await this.assertSameOwner();
    for (const storage of this.all) await storage.removeUnfinished(before, findReferenced);
  }

  override async signedUrl(key: string, read: SignedUrlOptions): Promise<string | null> {
    const { primary, secondary } = this.inUse;
    // A signed address is given out without a look at the object, which a move may not have reached yet.
    const isElsewhere = secondary !== null && (await primary.stat(key)) === null;
    return (isElsewhere ? secondary : primary).signedUrl(key, read);
  }

  /** Returns the storage in which a multipart upload was begun; null if it is no longer used. */
  private findByTag(tag: string | null): Storage | null {
    const { primary, secondary, source, url, secondaryUrl } = this.inUse;
    if (tag === null) return source;
    if (tag === tagOf(url)) return primary;
    return secondaryUrl !== null && tag === tagOf(secondaryUrl) ? secondary : null;
  }

  /** The source first. */
  private get all(): readonly Storage[] {
    const { primary, secondary, source } = this.inUse;
    if (secondary === null) return [primary];
    return source === primary ? [primary, secondary] : [secondary, primary];
  }

  private get configured(): Promise<Storage> {
    return this.drivers.open();
  }

  private async load(): Promise<void> {
    await this.apply(await runInPoolPartition('heartbeats', () => this.moves.findEffective()));
  }

  private async apply(move: StorageMoveRow | null): Promise<void> {
    const state = move ? `${move.id} ${move.state}` : 'none';
    if (state === this.applied) return;
    const isTwo = move?.state === 'preparing' || move?.state === 'switched';
    let problem: string | null = null;
    // Until the switch a process that can't reach the target goes on with the source, and the move waits for it.
    if (move?.state === 'preparing') problem = await this.findProblem(move);
    this.inUse = isTwo && problem === null ? await this.openBoth(move) : await this.openOne(move);
    this.applied = problem === null ? state : '';
    const storageMoveId = isTwo && problem === null ? move.id : null;
    await this.instances.reportStorage({
      storageUrl: this.config.storageUrl,
      storageMoveId,
      storageProblem: problem?.slice(0, 500) ?? null,
    });
  }

  private async openBoth({ state, sourceUrl, targetUrl }: StorageMoveRow): Promise<StoragesInUse> {
    const [source, target] = [await this.openUrl(sourceUrl), await this.openUrl(targetUrl)];
    // A folder has to be seen once before anything can be stored in it, such as the rest of an upload.
    if (state === 'switched') await source.readMark().catch(() => null);
    return state === 'switched'
      ? { primary: target, secondary: source, secondaryUrl: sourceUrl, source, url: targetUrl }
      : { primary: source, secondary: target, secondaryUrl: targetUrl, source, url: sourceUrl };
  }

  /** A process that still runs with the old STORAGE_URL when a move is done uses the new storage. */
  private async openOne(move: StorageMoveRow | null): Promise<StoragesInUse> {
    const { storageUrl } = this.config;
    const isFormer = move?.state === 'done' && isSameLocation(storageUrl, move.sourceUrl);
    const url = isFormer ? move.targetUrl : storageUrl;
    const storage = await this.openUrl(url);
    // The same object as before, so that a refresh that changes nothing is recognised.
    if (this.inUse.primary === storage && this.inUse.secondary === null) return this.inUse;
    return { primary: storage, secondary: null, secondaryUrl: null, source: storage, url };
  }

  /** With the options of STORAGE_URL if that names the place. */
  private openUrl(url: string): Promise<Storage> {
    return isSameLocation(url, this.config.storageUrl) ? this.configured : this.drivers.open(url);
  }

  /** Returns why this process can't use the target of a move; null if it can. */
  private async findProblem({ sourceUrl, targetUrl }: StorageMoveRow): Promise<string | null> {
    try {
      const source = await (await this.openUrl(sourceUrl)).readMark();
      const target = await (await this.openUrl(targetUrl)).readMark();
      return isSameOwner(source, target) ? null : `${targetUrl} is not the storage that the move has marked.`;
    } catch (error) {
      return `Couldn't reach ${targetUrl} (${(error as Error).message}).`;
    }
  }

  /**
   * Checks that both storages belong to the same installation, before something is deleted or reported missing: a folder
   * whose disk is not mounted looks empty.
   * @throws STORAGE_UNAVAILABLE
   */
  private async assertSameOwner(): Promise<void> {
    const { primary, secondary } = this.inUse;
    if (secondary === null) return;
    if (isSameOwner(await primary.readMark(), await secondary.readMark())) return;
    this.logger.error('The files are being moved, and one of the two storages has another owner, or is not mounted.');
    throw storageErrors.STORAGE_UNAVAILABLE();
  }

  /** Reads an object wherever it is. If that fails, a move may have begun that this process doesn't know of. */
  private async readAnywhere<T>(read: (storage: Storage) => Promise<T>): Promise<T> {
    const { primary, secondary } = this.inUse;
    try {
      return await read(primary);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (secondary !== null) {
        try {
          return await read(secondary);
        } catch {
          throw error;
        }
      }
      if (await this.refresh()) return this.readAnywhere(read);
      throw error;
    }
  }
}

/** Identifies a place in the ids of its multipart uploads. */
const tagOf = (url: string): string => createHash('sha256').update(toLocation(url)).digest('hex').slice(0, 12);

const toTaggedId = (url: string, remoteId: string): string => `${tagOf(url)}:${remoteId}`;

/** Ids of earlier versions have no tag. */
function splitTaggedId(taggedId: string): [tag: string | null, id: string] {
  const [, tag, id] = /^([0-9a-f]{12}):(.*)$/s.exec(taggedId) ?? [];
  return tag === undefined ? [null, taggedId] : [tag, id!];
}

function isSameOwner(one: string | null, other: string | null): boolean {
  const [first, second] = [one, other].map((text) => (text === null ? null : parseMark(text)));
  return first != null && first.installation === second?.installation;
}

/** Returns why a process must not start with this STORAGE_URL, and what to set instead; null if it may. */
export function explainWrongUrl(
  url: string,
  move: Pick<StorageMoveRow, 'state' | 'sourceUrl' | 'targetUrl'> | null,
  formerUrls: readonly string[],
): string | null {
  if (move === null) return null;
  const [isSource, isTarget] = [isSameLocation(url, move.sourceUrl), isSameLocation(url, move.targetUrl)];
  if (move.state === 'done') {
    if (isTarget || !formerUrls.some((former) => isSameLocation(url, former))) return null;
    return `The files have been moved from ${url} to ${move.targetUrl}. Set STORAGE_URL=${move.targetUrl}`;
  }
  if (isSource || (isTarget && move.state === 'switched')) return null;
  if (move.state === 'switched') {
    return `The files have been moved to ${move.targetUrl}, but STORAGE_URL is ${url}. Set STORAGE_URL=${move.targetUrl}`;
  }
  return (
    `The files are still being moved from ${move.sourceUrl} to ${move.targetUrl}, but STORAGE_URL is ${url}. ` +
    `Set STORAGE_URL=${move.sourceUrl} until npm run storage -- status says that the move has switched.`
  );
}
