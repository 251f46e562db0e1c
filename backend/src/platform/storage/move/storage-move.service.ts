import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { AuditType } from '../../audit/audit-types.js';
import { AuditRepository } from '../../audit/audit.repository.js';
import { DAY, SECOND } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { inTransaction } from '../../database/transaction.js';
import { StartupError } from '../../errors/startup-error.js';
import { InstanceRepository, type InstanceState } from '../../health/instances/instance.repository.js';
import { InstallationRepository } from '../../installation/installation.repository.js';
import type { CronRunPayload, JobContext } from '../../jobs/job-definition.js';
import { OnJob } from '../../jobs/on-job.decorator.js';
import { formatBinarySize } from '../../text/byte-units.js';
import { DiskProbe, DiskReserve } from '../disk-reserve.js';
import { ReferencedObjects } from '../ownership/referenced-objects.js';
import { parseMark, serializeMark } from '../ownership/storage-mark.js';
import { StorageOwnershipGuard } from '../ownership/storage-ownership-guard.js';
import { newObjectKey, type Storage } from '../storage.js';
import { StorageDrivers } from '../storage-drivers.js';
import { ObjectCopier, type MovePlace } from './object-copier.js';
import { areNested, isSameLocation } from './storage-location.js';
import { StorageMoveError } from './storage-move.error.js';
import { finishStorageMove } from './storage-move.jobs.js';
import type { StorageMoveState } from './storage-move.entity.js';
import { StorageMoveRepository, type StorageMoveRow } from './storage-move.repository.js';

/** Times of a move, in milliseconds; tests shorten them. */
@Injectable()
export class MoveTimings {
  /** How often progress is stored, and the processes are checked. */
  readonly checkInterval: number = SECOND;
  /** How often progress is printed. */
  readonly printInterval: number = 10 * SECOND;
  /** Delays before a failed object is tried again. */
  readonly retryPauses: readonly number[] = [SECOND, 5 * SECOND, 20 * SECOND];
}

/** How long the objects of the old storage are kept after the switch, in milliseconds. */
const SOURCE_RETENTION = DAY;

type Print = (line: string) => void;

/**
 * Moves all objects to another storage while the product runs (docs/adr/0059). A command copies them; the processes
 * follow the state of the move in the database (`CurrentStorage`).
 */
@Injectable()
export class StorageMoveService {
  private readonly logger = new Logger('Storage');

  constructor(
    private readonly orm: MikroORM,
    private readonly config: AppConfig,
    private readonly moves: StorageMoveRepository,
    private readonly drivers: StorageDrivers,
    private readonly ownership: StorageOwnershipGuard,
    private readonly objects: ReferencedObjects,
    private readonly instances: InstanceRepository,
    private readonly installation: InstallationRepository,
    private readonly audit: AuditRepository,
    private readonly probe: DiskProbe,
    private readonly timings: MoveTimings,
  ) {}

  /**
   * Begins a move, or continues the open one, until new objects are written to the target and it has all others.
   * @param targetUrl null to continue
   * @param print receives the progress
   * @throws StorageMoveError if it can't begin or go on, or was cancelled
   */
  async move(targetUrl: string | null, print: Print): Promise<void> {
    const open = await this.findOpen();
    if (open && targetUrl !== null && !isSameLocation(open.targetUrl, targetUrl)) {
      throw new StorageMoveError(
        `A move to ${open.targetUrl} is under way. Continue it with npm run storage -- move, or end it with npm run storage -- cancel`,
      );
    }
    if (!open && targetUrl === null) throw new StorageMoveError('No move is under way. Begin one with --to URL.');
    let move = open ?? (await this.begin(targetUrl!));
    print(`${open ? 'Continuing the move' : 'Moving the files'} from ${move.sourceUrl} to ${move.targetUrl}.`);
    let isResumed = open !== null;
    const damaged = new Set<string>();
    const copy = async () => {
      for (const key of await this.copyAll(move, isResumed, print)) damaged.add(key);
      isResumed = false;
    };
    if (move.state === 'copying') {
      await copy();
      move = await this.changeState(move, 'preparing', null);
    }
    if (move.state === 'preparing') {
      await this.waitForInstances(move, print);
      await copy();
      move = await this.changeState(move, 'switched', 'storage.switched');
      print('New files are stored in the new storage from now on.');
    }
    await this.changeStorageType(move);
    await copy();
    for (const key of damaged) {
      print(`Damaged before the move, and copied as it is: ${key} (its SHA-256 differs from that of its row).`);
    }
    print(describeNextStep(move));
  }

  /** Returns what is known of the open move, or of the last one. */
  async describe(): Promise<string[]> {
    const move = await this.moves.findLatest();
    if (!move) return [`The files are in ${this.config.storageUrl}. They have never been moved.`];
    const lines = [`From ${move.sourceUrl} to ${move.targetUrl}: ${STATE_LABELS[move.state]}.`];
    if (move.state === 'copying' || move.state === 'preparing') lines.push(describeProgress(move));
    if (move.state === 'preparing') lines.push(...(await this.listUnready(move)).map(describeUnready));
    if (move.state === 'switched') {
      lines.push(describeNextStep(move), ...(await this.listFormer(move)).map(describeFormer));
    }
    if (move.state === 'cancelled' && move.endedAt === null) {
      lines.push(`Copies are left in ${move.targetUrl}. Delete them with npm run storage -- cancel`);
    }
    return lines;
  }

  /**
   * Cancels the open move; nothing was written to the target alone. `removeCopies` has to follow.
   * @throws StorageMoveError if no move can be cancelled
   */
  async cancel(): Promise<void> {
    const move = await this.moves.findLatest();
    if (move?.state === 'cancelled' && move.endedAt === null) return;
    if (!move || move.state === 'done' || move.state === 'cancelled') {
      throw new StorageMoveError('No move is under way.');
    }
    const isCancelled =
      move.state !== 'switched' &&
      (await this.inTransaction(async (em) => {
        if (!(await this.moves.changeState(em, move.id, ['copying', 'preparing'], 'cancelled'))) return false;
        await this.audit.record(em, { type: 'storage.move-cancelled', params: { moveId: move.id } });
        return true;
      }));
    if (isCancelled) return;
    throw new StorageMoveError(
      `The files are in ${move.targetUrl} already. To go back, finish this move, then move to ${move.sourceUrl}.`,
    );
  }

  /** Deletes the copies of a cancelled move. The mark remains, so that another move to the same place can begin. */
  async removeCopies(print: Print): Promise<void> {
    const move = await this.moves.findLatest();
    if (move?.state !== 'cancelled' || move.endedAt !== null) return;
    if (isSameLocation(move.targetUrl, this.config.storageUrl)) {
      throw new StorageMoveError(`STORAGE_URL is ${move.targetUrl}, so nothing is deleted there.`);
    }
    const storage = await this.drivers.open(move.targetUrl);
    let count = 0;
    if (await this.isOwned(storage)) {
      for await (const { key } of storage.list('')) {
        await storage.delete(key);
        count++;
      }
      await storage.removeUnfinished(new Date());
    }
    await this.moves.markEnded(move.id);
    print(`The move is cancelled. ${count} copies were deleted from ${move.targetUrl}.`);
  }

  /**
   * Copies what was still written to the old storage, such as uploads that began there. A day after the switch, deletes
   * its objects if all processes use the new STORAGE_URL.
   */
  @OnJob(finishStorageMove)
  async finish(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const move = await this.moves.findEffective();
    if (move?.state !== 'switched') return;
    await this.changeStorageType(move);
    const copier = await this.createCopier(move, signal);
    const ignore = () => Promise.resolve();
    await copier.copyAll({
      cursor: '',
      removesExtras: false,
      isResumed: false,
      onPrefix: ignore,
      assertNotSwitched: ignore,
    });
    if (copier.damaged.length > 0)
      this.logger.error({ keys: copier.damaged }, 'Copied objects that were damaged before');
    if (!(await this.moves.isSwitchedSince(move.id, SOURCE_RETENTION))) return;
    const former = await this.listFormer(move);
    const source = await this.drivers.open(move.sourceUrl);
    if (former.length > 0) {
      for (const instance of former) this.logger.warn(describeFormer(instance));
      return;
    }
    if (await source.hasUnfinished()) return;
    await this.ownership.assertRemovalAllowed();
    if (!(await copier.removeCopied())) return;
    await this.inTransaction(async (em) => {
      if (!(await this.moves.changeState(em, move.id, ['switched'], 'done'))) return;
      await this.audit.record(em, { type: 'storage.move-finished', params: { moveId: move.id } });
    });
    this.logger.log(`The files have been moved to ${move.targetUrl}. ${move.sourceUrl} is no longer used.`);
  }

  private async findOpen(): Promise<StorageMoveRow | null> {
    const move = await this.moves.findEffective();
    return move && move.state !== 'done' ? move : null;
  }

  /** Checks the target, marks it, and creates the row. */
  private async begin(targetUrl: string): Promise<StorageMoveRow> {
    const sourceUrl = this.config.storageUrl;
    if (isSameLocation(sourceUrl, targetUrl)) throw new StorageMoveError(`The files are in ${targetUrl} already.`);
    if (areNested(sourceUrl, targetUrl)) {
      throw new StorageMoveError(`One of ${sourceUrl} and ${targetUrl} is inside the other. Choose a separate place.`);
    }
    const state = await this.ownership.checkState();
    if (state.kind !== 'own') throw new StorageMoveError(state.sentence);
    await this.claimTarget({ url: targetUrl, storage: await this.drivers.open(targetUrl) });
    await this.inTransaction(async (em) => {
      const moveId = await this.moves.insertMove(em, sourceUrl, targetUrl);
      if (moveId === null) throw new StorageMoveError('Another move has just begun.');
      await this.audit.record(em, { type: 'storage.move-started', params: { moveId } });
    });
    return (await this.findOpen())!;
  }

  /** Marks an empty place as a storage of this installation. */
  private async claimTarget(target: MovePlace): Promise<void> {
    const { storage, url } = target;
    const { id, turn } = await this.installation.readStorageClaim();
    const text = await this.reach(target, () => storage.readMark());
    const mark = text === null ? null : parseMark(text);
    if (text !== null && mark?.installation !== id) {
      throw new StorageMoveError(
        `${url} belongs to another installation (${mark?.installation ?? 'unknown'}). Choose an empty place.`,
      );
    }
    // With a mark it may be the current storage by another name, which is found out before anything is listed.
    if (text !== null) await this.assertOtherPlace(target);
    for await (const { key } of this.listTarget(target)) {
      throw new StorageMoveError(
        `${url} is not empty: it contains ${key}. Choose an empty place. Copies of a cancelled move are deleted by npm run storage -- cancel`,
      );
    }
    const clean = serializeMark({ installation: id, turn });
    await this.reach(target, () => storage.writeMark(clean, text === null));
    const written = await this.reach(target, () => storage.readMark());
    if (written === null || parseMark(written)?.installation !== id) {
      throw new StorageMoveError(`${url} was taken by another installation in this moment. Choose another place.`);
    }
    await this.assertOtherPlace(target);
  }

  /** Writes an object to the target, which must not appear in the current storage. Proves that it can be written. */
  private async assertOtherPlace(target: MovePlace): Promise<void> {
    const { storage, url } = target;
    const key = newObjectKey('moves');
    const source = await this.drivers.open();
    await this.reach(target, () => storage.write(key, Readable.from([Buffer.from(key)])));
    try {
      if (await source.stat(key)) throw new StorageMoveError(`${url} is another name of the current storage.`);
    } finally {
      await this.reach(target, () => storage.delete(key));
    }
  }

  private async reach<T>({ url }: MovePlace, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StorageMoveError) throw error;
      const detail = error instanceof StartupError ? ` ${error.message}` : '';
      throw new StorageMoveError(
        `Couldn't use ${url}.${detail} Check the address, the permissions and the free space. Nothing has been changed.`,
      );
    }
  }

  private async *listTarget(target: MovePlace) {
    const objects = target.storage.list('')[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await this.reach(target, () => objects.next());
      if (done) return;
      yield value;
    }
  }

  /**
   * Compares all objects once, in the state of the move.
   * @returns the keys of objects that were damaged in the source
   */
  private async copyAll(move: StorageMoveRow, isResumed: boolean, print: Print): Promise<readonly string[]> {
    const controller = new AbortController();
    const copier = await this.createCopier(move, controller.signal);
    let cursor = move.cursor;
    const save = async () => {
      if (await this.moves.saveProgress(move, cursor, copier.progress)) return;
      controller.abort(new StorageMoveError('The move was cancelled or continued elsewhere.'));
    };
    const saveOrStop = async () => {
      await save();
      controller.signal.throwIfAborted();
    };
    let printedAt = performance.now();
    let saving: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      // If the database is unreachable, the next prefix reports it.
      saving = saving.then(save).catch(() => undefined);
      if (performance.now() - printedAt < this.timings.printInterval) return;
      printedAt = performance.now();
      print(describeProgress(copier.progress));
    }, this.timings.checkInterval);
    try {
      await copier.copyAll({
        cursor,
        removesExtras: move.state !== 'switched',
        isResumed,
        onPrefix: (prefix) => {
          cursor = prefix;
          return saveOrStop();
        },
        assertNotSwitched: saveOrStop,
      });
      await saveOrStop();
    } finally {
      clearInterval(timer);
      await saving;
    }
    print(describeProgress(copier.progress));
    return copier.damaged;
  }

  private async createCopier(move: StorageMoveRow, signal: AbortSignal): Promise<ObjectCopier> {
    const { sourceUrl, targetUrl } = move;
    const source = { url: sourceUrl, storage: await this.drivers.open(sourceUrl) };
    const target = { url: targetUrl, storage: await this.drivers.open(targetUrl) };
    const folder = targetUrl.startsWith('file:') ? fileURLToPath(targetUrl) : null;
    const { dataDir, diskReserve } = this.config;
    const reserve = folder === null ? null : new DiskReserve(dataDir, () => folder, diskReserve, this.probe);
    const { id: installation } = await this.installation.readStorageClaim();
    const { retryPauses } = this.timings;
    return new ObjectCopier({ source, target, installation, objects: this.objects, reserve, retryPauses, signal });
  }

  /** @throws StorageMoveError if the move is no longer in the state it was in */
  private async changeState(
    move: StorageMoveRow,
    state: StorageMoveState,
    type: AuditType | null,
  ): Promise<StorageMoveRow> {
    const isChanged = await this.inTransaction(async (em) => {
      if (!(await this.moves.changeState(em, move.id, [move.state], state))) return false;
      if (type !== null) await this.audit.record(em, { type, params: { moveId: move.id } });
      return true;
    });
    if (!isChanged) throw new StorageMoveError('The move was cancelled or continued elsewhere.');
    return { ...move, state, cursor: '' };
  }

  /** Waits until all processes read both storages. A process that knew only the old one would miss new files. */
  private async waitForInstances(move: StorageMoveRow, print: Print): Promise<void> {
    for (let printed = ''; ;) {
      const unready = await this.listUnready(move);
      if (unready.length === 0) return;
      const text = unready.map(describeUnready).join('\n');
      if (text !== printed) print(text);
      printed = text;
      await pause(this.timings.checkInterval);
      if ((await this.findOpen())?.state !== move.state) throw new StorageMoveError('The move was cancelled.');
    }
  }

  private async listUnready(move: StorageMoveRow): Promise<InstanceState[]> {
    return (await this.instances.listAlive()).filter(({ storageMoveId }) => storageMoveId !== move.id);
  }

  /** Returns the processes that were started with another STORAGE_URL than the target. */
  private async listFormer(move: StorageMoveRow): Promise<InstanceState[]> {
    const instances = await this.instances.listAlive();
    return instances.filter(({ storageUrl }) => storageUrl === null || !isSameLocation(storageUrl, move.targetUrl));
  }

  private async changeStorageType({ sourceUrl, targetUrl }: StorageMoveRow): Promise<void> {
    const [{ type: from }, { type: to }] = [await this.drivers.open(sourceUrl), await this.drivers.open(targetUrl)];
    if (from !== to) await this.objects.changeStorageType(from, to);
  }

  private async isOwned(storage: Storage): Promise<boolean> {
    const text = await storage.readMark();
    const { id } = await this.installation.readStorageClaim();
    return text !== null && parseMark(text)?.installation === id;
  }

  private inTransaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.orm.em.fork() as EntityManager, work);
  }
}

const STATE_LABELS: Record<StorageMoveState, string> = {
  copying: 'copying, new files are stored in the old storage',
  preparing: 'preparing the switch, new files are stored in the old storage',
  switched: 'switched, new files are stored in the new storage',
  done: 'done',
  cancelled: 'cancelled',
};

function describeProgress(
  progress: Pick<StorageMoveRow, 'copiedObjects' | 'copiedBytes' | 'totalObjects' | 'totalBytes'>,
) {
  const { copiedObjects, copiedBytes, totalObjects, totalBytes } = progress;
  return `${copiedObjects} of ${totalObjects} objects, ${formatBinarySize(copiedBytes)} of ${formatBinarySize(totalBytes)}.`;
}

function describeNextStep({ sourceUrl, targetUrl }: StorageMoveRow): string {
  return (
    `Set STORAGE_URL=${targetUrl} for all processes and commands, and restart them. ` +
    `A day after the switch, when all processes have it, the objects in ${sourceUrl} are deleted. Keep it reachable until npm run storage -- status says done.`
  );
}

const describeInstance = ({ role, host, port }: InstanceState) =>
  `${role} process on ${host}${port === null ? '' : `, port ${port}`}`;

const describeUnready = (instance: InstanceState) =>
  `Waiting for the ${describeInstance(instance)}: ${instance.storageProblem ?? 'it has not learnt of the move yet. One that was killed is ignored after a minute.'}`;

const describeFormer = (instance: InstanceState) =>
  `The ${describeInstance(instance)} still has STORAGE_URL=${instance.storageUrl ?? 'unknown'}.`;
