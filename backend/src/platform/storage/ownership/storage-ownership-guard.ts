import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { HOUR, MINUTE, SECOND } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { InstallationRepository, StorageClaim } from '../../installation/installation.repository.js';
import { storageErrors } from '../storage.errors.js';
import type { Storage } from '../storage.js';
import type { ReferencedObjects } from './referenced-objects.js';
import { serializeMark, parseMark, type StorageHeartbeat, type StorageMark } from './storage-mark.js';
import { StorageRefusals, type StorageState } from './storage-refusals.js';

/** Objects looked at before a storage without a mark is taken for ours. */
const SAMPLE_SIZE = 1000;
/** The mark is renewed by processes that have lived this long, in milliseconds: a copy that was just started is not the first to do so. */
export const MIN_UPTIME_FOR_RENEWAL = 2 * HOUR;
/** Whoever has beaten within so many milliseconds lives; one beats every minute. */
const ALIVE_TIMEOUT = 3 * MINUTE;
/** A beat follows the one before after so many milliseconds, whichever process gives it. */
const HEARTBEAT_INTERVAL = 50 * SECOND;
/** For so many milliseconds it can be seen from the mark whose beat came before those of another, so that who still runs goes on. */
const PREDECESSOR_RETENTION = HOUR;
/** Whoever comes after a beat that was not their own removes nothing for so many milliseconds: those of before may have slept. */
const REMOVAL_DELAY = 10 * MINUTE;

const OWN_STATE: StorageState = { kind: 'own' };

/**
 * Whether the storage is the one of this installation. An object in it, the mark, names the installation, counts its
 * renewals, and each minute gets a new word that only the database of those knows who use it. So a copy of the database,
 * another installation, and an empty folder in the place of a disk that is not mounted are told apart from what was meant,
 * before anything is written, deleted or compared.
 */
export class StorageOwnershipGuard {
  private readonly logger = new Logger('Storage');
  private readonly refusals: StorageRefusals;
  private claim: StorageClaim | null = null;
  private verifiedAt = -Infinity;
  /** The mark that was last found to be ours. */
  private mark: StorageMark | null = null;
  /** The word that this process gave last: after a failover the database may have lost it. */
  private lastToken: string | null = null;

  /**
   * @param storage the driver itself
   * @param address where it is, for sentences
   */
  constructor(
    private readonly storage: Storage,
    address: string,
    private readonly installation: InstallationRepository,
    private readonly objects: ReferencedObjects,
  ) {
    this.refusals = new StorageRefusals(address);
  }

  /** A mark that was seen is not believed any more: something has failed. */
  invalidate(): void {
    this.verifiedAt = -Infinity;
  }

  /**
   * Passes when the storage is ours. What is on a disk that can go at any moment without an error is asked each time, the rest once a minute
   * and after each fault.
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
   * The same before something is removed or moved: those who have just come after somebody else wait until it is known
   * that nobody else is left.
   * @throws STORAGE_UNAVAILABLE
   */
  async assertRemovalAllowed(): Promise<void> {
    await this.assertOwned();
    const { beat } = this.mark ?? {};
    if (!beat || (!beat.after && this.isKnownHeartbeat(beat, this.claim ?? (await this.reloadClaim())))) return;
    const claim = await this.reloadClaim();
    const since = this.isKnownHeartbeat(beat, claim) ? beat.after?.at : undefined;
    if (since !== undefined && claim.now.getTime() - Date.parse(since) >= REMOVAL_DELAY) return;
    this.logger.warn('Another installation has used the storage before: nothing is removed from it for ten minutes.');
    throw storageErrors.STORAGE_UNAVAILABLE();
  }

  /** Looks for the mark. At the first use of an installation it is written, if the storage is empty or holds what the database names. */
  async checkState(): Promise<StorageState> {
    try {
      const found = await this.readState();
      this.verifiedAt = found.kind === 'own' ? performance.now() : -Infinity;
      return found;
    } catch (error) {
      this.invalidate();
      if (!(error instanceof AppError)) throw error;
      return this.refusals.unreachable();
    }
  }

  /**
   * Gives the mark a new word when the last is a minute old, so that others see that the storage is in use. The database
   * has the word first: it may know words that never came into the mark, and never lacks one that did.
   * @param isStart whoever starts gives one at once: a copy that was made just before, while all stood still, knows the last
   * @returns how the storage was found
   * @throws STORAGE_UNAVAILABLE
   */
  async sendHeartbeat(isStart = false): Promise<StorageState> {
    const state = await this.checkState();
    if (state.kind === 'own') await this.writeHeartbeat(isStart ? 0 : HEARTBEAT_INTERVAL);
    return state;
  }

  /**
   * Counts the mark on, so that copies of this database made before are known as such.
   * @returns false when the storage is not ours, or another process has just done it
   */
  async renewMark(): Promise<boolean> {
    if ((await this.checkState()).kind !== 'own') return false;
    const { turn } = await this.reloadClaim();
    if ((await this.installation.incrementStorageGeneration(turn)) === null) return false;
    await this.writeHeartbeat(0);
    return true;
  }

  /** Makes the storage that of this installation, whatever it was before: by the word of the person who runs it. */
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

  /** @param atLeast milliseconds since the last word, of whichever process; otherwise that one is enough */
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
      // Another process may have marked it since.
      const { markedAt } = claim.markedAt === null ? await this.reloadClaim() : claim;
      return markedAt === null ? this.claimStorage() : this.refusals.missing();
    }
    return this.compareMark(parseMark(text), claim);
  }

  private async compareMark(mark: StorageMark | null, known: StorageClaim): Promise<StorageState> {
    if (mark?.installation !== known.id) return this.refusals.foreign(mark?.installation ?? 'unknown', known.id);
    const isStale =
      mark.turn > known.turn || known.markedAt === null || mark.restoring || !this.isKnownHeartbeat(mark.beat, known);
    const claim = isStale ? await this.reloadClaim() : known;
    const { id, turn, markedAt } = claim;
    if (mark.turn > turn) return this.refusals.later();
    const otherUntil = this.usedByAnotherUntil(mark.beat, claim);
    if (otherUntil) return this.refusals.inUse(otherUntil);
    if (markedAt === null && mark.restoring) return this.refusals.halfRestored();
    if (mark.restoring) await this.storage.writeMark(serializeMark({ installation: id, turn }), false);
    if (markedAt === null) await this.setMarked();
    this.mark = mark;
    return OWN_STATE;
  }

  private isKnownHeartbeat(beat: StorageHeartbeat | undefined, { words }: StorageClaim): boolean {
    return beat === undefined || beat.word === this.lastToken || words.includes(beat.word);
  }

  /** Somebody with another database has given the last word, and lives. @returns how long they count as alive, or null */
  private usedByAnotherUntil(beat: StorageHeartbeat | undefined, claim: StorageClaim): Date | null {
    if (!beat || this.isKnownHeartbeat(beat, claim) || this.isDisplaced(beat, claim)) return null;
    const until = new Date(Date.parse(beat.at) + ALIVE_TIMEOUT);
    return claim.now < until ? until : null;
  }

  /**
   * Somebody took the last word of ours for that of one who has ended, while this process was there all the time: it goes
   * on, and the other one stops. A process that starts later has no such right.
   */
  private isDisplaced(beat: StorageHeartbeat | undefined, { words }: StorageClaim): boolean {
    const ours = beat?.after?.word;
    return this.mark !== null && ours !== undefined && !words.includes(beat!.word) && words.includes(ours);
  }

  /** The first use of this installation. */
  private async claimStorage(): Promise<StorageState> {
    const keys: string[] = [];
    for await (const { key } of this.storage.list('')) if (keys.push(key) === SAMPLE_SIZE) break;
    const named = await this.objects.findReferenced(keys);
    if (keys.length > 0 && named.size === 0) return this.refusals.unknownObjects();
    if (keys.length === 0 && (await this.objects.hasAny())) return this.refusals.missing();
    const { id, turn } = await this.reloadClaim();
    await this.storage.writeMark(serializeMark({ installation: id, turn }), true);
    const mark = parseMark((await this.storage.readMark()) ?? '');
    if (mark?.installation !== id) return this.refusals.foreign(mark?.installation ?? 'unknown', id);
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

/** Whose words came before ours, as long as it is told. */
function predecessorOf(last: StorageHeartbeat | undefined, isOurs: boolean, now: Date): StorageHeartbeat['after'] {
  if (!last) return undefined;
  if (!isOurs) return { word: last.word, at: now.toISOString() };
  return last.after && now.getTime() - Date.parse(last.after.at) < PREDECESSOR_RETENTION ? last.after : undefined;
}
