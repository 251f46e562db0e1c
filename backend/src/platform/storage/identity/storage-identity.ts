import { Logger } from '@nestjs/common';
import { AppError } from '../../errors/app-error.js';
import type { InstallationRecord, StorageClaim } from '../../installation/installation-record.service.js';
import { storageErrors } from '../storage.errors.js';
import type { Storage } from '../storage.js';
import type { NamedObjects } from './named-objects.js';

/** The name of the object that says whose a storage is. No key of ours has a dash. */
export const MARK = 'zonary-installation';

export interface StorageMark {
  /** The id of the installation. */
  readonly installation: string;
  /** How often the mark was renewed. */
  readonly turn: number;
  /** A restore has begun to fill the storage, and has not ended. */
  readonly restoring?: boolean;
}

/** The text of the object: for the program, and for the person who finds it. */
export function markText({ installation, turn, restoring }: StorageMark): string {
  const about =
    'This storage belongs to the Zonary installation of this id. Keep this object: without it nothing is stored here.';
  return `${JSON.stringify({ installation, turn, ...(restoring ? { restoring } : {}), about }, null, 2)}\n`;
}

/** Reads what `markText` has written; null for anything else. */
export function parseMark(text: string): StorageMark | null {
  try {
    const { installation, turn, restoring } = JSON.parse(text) as Partial<StorageMark>;
    if (typeof installation !== 'string' || !Number.isInteger(turn)) return null;
    return { installation, turn: turn!, restoring: restoring === true };
  } catch {
    return null;
  }
}

/** Objects looked at before a storage without a mark is taken for ours. */
const SAMPLE = 1000;
/** The mark is renewed by processes that have lived this long, in milliseconds: a copy that was just started is not the first to do so. */
export const SETTLED = 2 * 3_600_000;

/** Whose the storage is: `own`, or why nothing may be written to it. */
export type StorageState =
  | { readonly kind: 'own' }
  | { readonly kind: 'missing' | 'foreign' | 'later' | 'unreachable'; readonly sentence: string };

const OWN: StorageState = { kind: 'own' };

/**
 * Whether the storage is the one of this installation. An object in it, the mark, names the installation and counts its
 * renewals; the database knows both. So a copy of the database, another installation, and an empty folder in the place
 * of a disk that is not mounted are told apart from what was meant, before anything is written, deleted or compared.
 */
export class StorageIdentity {
  private readonly logger = new Logger('Storage');
  private claim: StorageClaim | null = null;
  private seenAt = -Infinity;

  /**
   * @param storage the driver itself
   * @param address where it is, for sentences
   */
  constructor(
    private readonly storage: Storage,
    private readonly address: string,
    private readonly record: InstallationRecord,
    private readonly names: NamedObjects,
  ) {}

  /** A mark that was seen is not believed any more: something has failed. */
  doubt(): void {
    this.seenAt = -Infinity;
  }

  /**
   * Passes when the storage is ours. What is on a disk that can go at any moment without an error is asked each time, the rest once a minute
   * and after each fault.
   * @throws STORAGE_UNAVAILABLE otherwise; the log says why
   */
  async confirm(): Promise<void> {
    if (performance.now() - this.seenAt < this.storage.markTrust) return;
    const state = await this.state();
    if (state.kind === 'own') return;
    this.logger.error(state.sentence);
    throw storageErrors.STORAGE_UNAVAILABLE();
  }

  /** Looks for the mark. At the first use of an installation it is written, if the storage is empty or holds what the database names. */
  async state(): Promise<StorageState> {
    try {
      const found = await this.look();
      this.seenAt = found.kind === 'own' ? performance.now() : -Infinity;
      return found;
    } catch (error) {
      this.doubt();
      if (!(error instanceof AppError)) throw error;
      return { kind: 'unreachable', sentence: `The storage (${this.address}) cannot be reached at the moment.` };
    }
  }

  /**
   * Counts the mark on, so that copies of this database made before are known as such.
   * @returns false when the storage is not ours, or another process has just done it
   */
  async renew(): Promise<boolean> {
    if ((await this.state()).kind !== 'own') return false;
    const { id, turn } = await this.reload();
    const next = await this.record.nextTurn(turn);
    if (next === null) return false;
    await this.storage.writeMark(markText({ installation: id, turn: next }), false);
    this.claim = null;
    return true;
  }

  /** Makes the storage that of this installation, whatever it was before: by the word of the person who runs it. */
  async adopt(): Promise<void> {
    const text = await this.storage.readMark();
    const before = text === null ? null : parseMark(text);
    const { id, turn } = await this.reload();
    const next = (await this.record.nextTurn(turn, before?.turn)) ?? turn;
    if (text === null) await this.storage.writeMark(markText({ installation: id, turn: next }), true);
    await this.storage.writeMark(markText({ installation: id, turn: next }), false);
    await this.record.storageIsMarked();
    this.claim = null;
  }

  private async look(): Promise<StorageState> {
    const text = await this.storage.readMark();
    const claim = (this.claim ??= await this.record.storage());
    if (text === null) {
      // Another process may have marked it since.
      const { markedAt } = claim.markedAt === null ? await this.reload() : claim;
      return markedAt === null ? this.takePossession() : this.missing();
    }
    return this.compare(parseMark(text), claim);
  }

  private async compare(mark: StorageMark | null, claim: StorageClaim): Promise<StorageState> {
    if (mark?.installation !== claim.id) return this.foreign(mark?.installation ?? 'unknown', claim.id);
    const isStale = mark.turn > claim.turn || claim.markedAt === null;
    const { turn, markedAt } = isStale ? await this.reload() : claim;
    if (mark.turn > turn) return this.later();
    if (markedAt === null && mark.restoring) return this.halfRestored();
    if (mark.restoring) await this.storage.writeMark(markText({ installation: claim.id, turn }), false);
    if (markedAt === null) await this.marked();
    return OWN;
  }

  /** The first use of this installation. */
  private async takePossession(): Promise<StorageState> {
    const keys: string[] = [];
    for await (const { key } of this.storage.list('')) if (keys.push(key) === SAMPLE) break;
    const named = await this.names.among(keys);
    if (keys.length > 0 && named.size === 0) return this.unknownObjects();
    if (keys.length === 0 && (await this.names.any())) return this.missing();
    const { id, turn } = await this.reload();
    await this.storage.writeMark(markText({ installation: id, turn }), true);
    const mark = parseMark((await this.storage.readMark()) ?? '');
    if (mark?.installation !== id) return this.foreign(mark?.installation ?? 'unknown', id);
    await this.marked();
    return OWN;
  }

  private async marked(): Promise<void> {
    await this.record.storageIsMarked();
    await this.reload();
  }

  private async reload(): Promise<StorageClaim> {
    return (this.claim = await this.record.storage());
  }

  private foreign(theirs: string, ours: string): StorageState {
    const sentence =
      `The storage (${this.address}) belongs to another installation: its object ${MARK} names ${theirs}, this one is ${ours}. ` +
      'Two installations on one storage would remove each other’s files. Give this one a STORAGE_URL of its own; a copy needs a copy of the contents. ' +
      'If the contents were moved here for good, and nobody else uses them: npm run installation -- adopt-storage';
    return { kind: 'foreign', sentence };
  }

  private later(): StorageState {
    const sentence =
      `The storage (${this.address}) has been used since by a later state of this installation: this database is an older copy of it. ` +
      'A copy needs a STORAGE_URL of its own with a copy of the contents. ' +
      'If this database was put back on purpose, and the other one is gone for good: npm run installation -- adopt-storage';
    return { kind: 'later', sentence };
  }

  private missing(): StorageState {
    const sentence =
      `The storage (${this.address}) is not the one of this installation: its object ${MARK} is not there. ` +
      'Is the disk mounted, and does STORAGE_URL name the same place as before? Nothing is stored until it is back. ' +
      'If the contents were moved here, or are lost for good: npm run installation -- adopt-storage';
    return { kind: 'missing', sentence };
  }

  private halfRestored(): StorageState {
    const sentence = `A restore into this installation (${this.address}) has not ended, or was broken off. Wait for its end, or run it again: it goes on by itself.`;
    return { kind: 'missing', sentence };
  }

  private unknownObjects(): StorageState {
    const sentence =
      `The storage (${this.address}) holds objects of which this installation knows none. Give it a STORAGE_URL that is empty. ` +
      'If the contents were moved here for this installation: npm run installation -- adopt-storage';
    return { kind: 'foreign', sentence };
  }
}
