import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { HOUR, MINUTE, SECOND } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { InstallationRepository, StorageClaim } from '../../installation/installation.repository.js';
import { storageErrors } from '../storage.errors.js';
import type { Storage } from '../storage.js';
import type { ReferencedObjects } from './referenced-objects.js';
import { serializeMark, parseMark, type StorageHeartbeat, type StorageMark } from './storage-mark.js';
import { StorageRejections, type StorageState } from './storage-rejections.js';

/** Number of objects checked before a storage without a mark is accepted. */
const SAMPLE_SIZE = 1000;
/**
 * Minimum uptime of processes that renew the mark, in milliseconds, so that a copy that was just started isn't the
 * first to do so.
 */
export const MIN_UPTIME_FOR_RENEWAL = 2 * HOUR;
/**
 * An installation counts as alive if its last heartbeat is younger than this, in milliseconds. Heartbeats are sent
 * every minute.
 */
const ALIVE_TIMEOUT = 3 * MINUTE;
/** Minimum milliseconds between two heartbeats, whichever process sends them. */
const HEARTBEAT_INTERVAL = 50 * SECOND;
/**
 * How long the mark records the preceding heartbeat of another installation, in milliseconds, so that the displaced
 * one, if it still runs, can continue.
 */
const PREDECESSOR_RETENTION = HOUR;
/**
 * After taking over from another installation, nothing is deleted for this time, in milliseconds, because the other may
 * only have been suspended.
 */
const REMOVAL_DELAY = 10 * MINUTE;

const OWN_STATE: StorageState = { kind: 'own' };

/**
 * Determines whether the storage belongs to this installation. An object in it, the mark, contains the installation's
 * id, a generation number, and a token that is replaced every minute and that only the database of the users of the
 * storage knows. This detects a copy of the database, another installation, and the empty mount point of an unmounted
 * disk before anything is written, deleted or compared.
 */
export class StorageOwnershipGuard {
  private readonly logger = new Logger('Storage');
  private readonly rejections: StorageRejections;
  private claim: StorageClaim | null = null;
  private verifiedAt = -Infinity;
  /** The last mark that was verified to be ours. */
  private mark: StorageMark | null = null;
  /** The last token that this process wrote; after a failover the database may have lost it. */
  private lastToken: string | null = null;

  /**
   * @param storage the driver itself
   * @param getAddress returns the location of the storage, for messages
   */
  constructor(
    private readonly storage: Storage,
    getAddress: () => string,
    private readonly installation: InstallationRepository,
    private readonly objects: ReferencedObjects,
  ) {
    this.rejections = new StorageRejections(getAddress);
  }

  /** Discards the cached verification after an error. */
  invalidate(): void {
    this.verifiedAt = -Infinity;
  }

  /**
   * Checks that the storage is ours. A local disk, which can disappear without an error, is checked each time; others
   * once a minute and after each error.
   * @throws STORAGE_UNAVAILABLE otherwise; the log says why
   */
  async assertOwned(): Promise<void> {
    if (performance.now() - this.verifiedAt < this.storage.markCacheTime) return;
    const state = await this.checkState();
    if (state.kind === 'own') return;
    this.logger.error(state.sentence);
    throw storageErrors.STORAGE_UNAVAILABLE();
  }

  /**
   * The same check before something is deleted or moved. After taking over from another installation, it fails until it
   * is certain that the other has stopped.
   * @throws STORAGE_UNAVAILABLE
   */
  async assertRemovalAllowed(): Promise<void> {
    await this.assertOwned();
    const { beat } = this.mark ?? {};
    if (!beat || (!beat.after && this.isKnownHeartbeat(beat, this.claim ?? (await this.reloadClaim())))) return;
    const claim = await this.reloadClaim();
    const since = this.isKnownHeartbeat(beat, claim) ? beat.after?.at : undefined;
    if (since !== undefined && claim.now.getTime() - Date.parse(since) >= REMOVAL_DELAY) return;
    this.logger.warn('Another installation has used this storage before; nothing is deleted from it for ten minutes.');
    throw storageErrors.STORAGE_UNAVAILABLE();
  }

  /**
   * Reads the mark. On the first use of an installation, writes it if the storage is empty or contains objects that the
   * database references.
   */
  async checkState(): Promise<StorageState> {
    try {
      const found = await this.readState();
      this.verifiedAt = found.kind === 'own' ? performance.now() : -Infinity;
      return found;
    } catch (error) {
      this.invalidate();
      if (!(error instanceof AppError)) throw error;
      return this.rejections.unreachable();
    }
  }

  /**
   * Writes a new token to the mark when the last is a minute old, to show that the storage is in use. The token is
   * stored in the database first: the database may know tokens that were never written to the mark, but never lacks one
   * that was.
   * @param isStart a starting process writes a token at once, because a copy of the database made while everything was
   *   stopped knows the last one
   * @returns the state of the storage
   * @throws STORAGE_UNAVAILABLE
   */
  async sendHeartbeat(isStart = false): Promise<StorageState> {
    const state = await this.checkState();
    if (state.kind === 'own') await this.writeHeartbeat(isStart ? 0 : HEARTBEAT_INTERVAL);
    return state;
  }

  /**
   * Renews the mark, so that copies of this database made earlier can be recognised.
   * @returns false when the storage isn't ours, or another process has just renewed it
   */
  async renewMark(): Promise<boolean> {
    if ((await this.checkState()).kind !== 'own') return false;
    const { turn } = await this.reloadClaim();
    if ((await this.installation.incrementStorageGeneration(turn)) === null) return false;
    await this.writeHeartbeat(0);
    return true;
  }

  /** Assigns the storage to this installation, whatever it was before. Only on the operator's request. */
  async adopt(): Promise<void> {
    const text = await this.storage.readMark();
    const before = text === null ? null : parseMark(text);
    const { id, turn } = await this.reloadClaim();
    const next = (await this.installation.incrementStorageGeneration(turn, before?.turn)) ?? turn;
    if (text === null) await this.storage.writeMark(serializeMark({ installation: id, turn: next }), true);
    this.mark = null;
    await this.writeHeartbeat(0);
    await this.installation.setStorageMarked();
    this.claim = null;
  }

  /** @param atLeast minimum milliseconds since the last token of any process; a more recent one suffices */
  private async writeHeartbeat(atLeast: number): Promise<void> {
    const last = this.mark?.beat;
    const isOurs = last === undefined || this.isKnownHeartbeat(last, this.claim!);
    const word = randomUUID();
    const claim = await this.installation.recordHeartbeat(
      word,
      isOurs ? (last?.word ?? null) : null,
      isOurs ? atLeast : 0,
    );
    if (!claim) return;
    const after = this.isDisplaced(last, claim) ? undefined : predecessorOf(last, isOurs, claim.now);
    const beat: StorageHeartbeat = { word, at: claim.now.toISOString(), ...(after ? { after } : {}) };
    const mark = { installation: claim.id, turn: claim.turn, beat };
    await this.storage.writeMark(serializeMark(mark), false);
    [this.claim, this.mark, this.lastToken] = [claim, mark, word];
  }

  private async readState(): Promise<StorageState> {
    const text = await this.storage.readMark();
    const claim = (this.claim ??= await this.installation.readStorageClaim());
    if (text === null) {
      // Another process may have written the mark since.
      const { markedAt } = claim.markedAt === null ? await this.reloadClaim() : claim;
      return markedAt === null ? this.claimStorage() : this.rejections.missing();
    }
    return this.compareMark(parseMark(text), claim);
  }

  private async compareMark(mark: StorageMark | null, known: StorageClaim): Promise<StorageState> {
    if (mark?.installation !== known.id) return this.rejections.foreign(mark?.installation ?? 'unknown', known.id);
    const isStale =
      mark.turn > known.turn || known.markedAt === null || mark.restoring || !this.isKnownHeartbeat(mark.beat, known);
    const claim = isStale ? await this.reloadClaim() : known;
    const { id, turn, markedAt } = claim;
    if (mark.turn > turn) return this.rejections.later();
    const otherUntil = this.usedByAnotherUntil(mark.beat, claim);
    if (otherUntil) return this.rejections.inUse(otherUntil);
    if (markedAt === null && mark.restoring) return this.rejections.halfRestored();
    if (mark.restoring) await this.storage.writeMark(serializeMark({ installation: id, turn }), false);
    if (markedAt === null) await this.setMarked();
    this.mark = mark;
    return OWN_STATE;
  }

  private isKnownHeartbeat(beat: StorageHeartbeat | undefined, { words }: StorageClaim): boolean {
    return beat === undefined || beat.word === this.lastToken || words.includes(beat.word);
  }

  /**
   * Whether an installation with another database wrote the last token and counts as alive.
   * @returns until when, or null
   */
  private usedByAnotherUntil(beat: StorageHeartbeat | undefined, claim: StorageClaim): Date | null {
    if (!beat || this.isKnownHeartbeat(beat, claim) || this.isDisplaced(beat, claim)) return null;
    const until = new Date(Date.parse(beat.at) + ALIVE_TIMEOUT);
    return claim.now < until ? until : null;
  }

  /**
   * Another installation took our last token for that of a stopped one, while this process was running all the time.
   * This process continues, and the other stops. A process that starts later has no such precedence.
   */
  private isDisplaced(beat: StorageHeartbeat | undefined, { words }: StorageClaim): boolean {
    const ours = beat?.after?.word;
    return this.mark !== null && ours !== undefined && !words.includes(beat!.word) && words.includes(ours);
  }

  /** Writes the first mark of this installation. */
  private async claimStorage(): Promise<StorageState> {
    const keys: string[] = [];
    for await (const { key } of this.storage.list('')) if (keys.push(key) === SAMPLE_SIZE) break;
    const named = await this.objects.findReferenced(keys);
    if (keys.length > 0 && named.size === 0) return this.rejections.unknownObjects();
    if (keys.length === 0 && (await this.objects.hasAny())) return this.rejections.missing();
    const { id, turn } = await this.reloadClaim();
    await this.storage.writeMark(serializeMark({ installation: id, turn }), true);
    const mark = parseMark((await this.storage.readMark()) ?? '');
    if (mark?.installation !== id) return this.rejections.foreign(mark?.installation ?? 'unknown', id);
    await this.setMarked();
    this.mark = mark;
    return OWN_STATE;
  }

  private async setMarked(): Promise<void> {
    await this.installation.setStorageMarked();
    await this.reloadClaim();
  }

  private async reloadClaim(): Promise<StorageClaim> {
    return (this.claim = await this.installation.readStorageClaim());
  }
}

/** Returns the heartbeat that preceded ours, as long as the mark has to record it. */
function predecessorOf(last: StorageHeartbeat | undefined, isOurs: boolean, now: Date): StorageHeartbeat['after'] {
  if (!last) return undefined;
  if (!isOurs) return { word: last.word, at: now.toISOString() };
  return last.after && now.getTime() - Date.parse(last.after.at) < PREDECESSOR_RETENTION ? last.after : undefined;
}
