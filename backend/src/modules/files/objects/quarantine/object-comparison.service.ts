import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, HOUR } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import { ReferencedObjects } from '../../../../platform/storage/ownership/referenced-objects.js';
import { keyPrefixesOf, Storage, type ObjectInfo } from '../../../../platform/storage/storage.js';
import type { FileSchema } from '../../entities/file.entity.js';
import { DocumentService } from '../../pages/document.service.js';
import { PageStoreService, PAGE_KEY_PREFIX } from '../../pages/page-store.service.js';
import { PageTextStoreService } from '../../pages/page-text-store.service.js';
import { THUMBNAIL_KEY_PREFIX, ThumbnailService } from '../../thumbnails/thumbnail.service.js';

type Tables = typeof FileSchema;

/** Younger objects may be on their way to a row. */
const GRACE_PERIOD = 48 * HOUR;
/** Keys asked for in one query. */
const BATCH_SIZE = 1000;
/** Strays that are remembered; more are found again the next time. */
const MAX_ORPHANS = 10_000;

/** Where tables name what is made of files. */
const DERIVED_KEY_COLUMNS = {
  file_thumbnails: 't.object_key',
  file_pages: 't.object_key',
  file_pdfs: 't.object_key',
  file_page_texts: 't.layer_key',
} as const;
type DerivedTable = keyof typeof DERIVED_KEY_COLUMNS;

type OrphanObject = Pick<ObjectInfo, 'key' | 'size'>;

export interface ComparisonResult {
  readonly at: Date;
  /** Objects that are there. */
  objects: number;
  /** How many of them nothing names. */
  orphanCount: number;
  readonly orphans: OrphanObject[];
  /** Ids of files whose object is missing. */
  readonly missing: number[];
}

/**
 * Compares what the storage holds with what rows name, and changes nothing but thumbnails, pages and their texts that are
 * lost or missing, which are made again. It goes through the keys in 256 parts, so that neither memory nor one query grows with their number.
 */
@Injectable()
export class ObjectComparisonService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly thumbnail: ThumbnailService,
    private readonly document: DocumentService,
    private readonly pageStore: PageStoreService,
    private readonly pageTextStore: PageTextStoreService,
    private readonly names: ReferencedObjects,
  ) {}

  /**
   * Goes through all objects.
   * @returns null when it was told to stop before its end
   * @throws STORAGE_UNAVAILABLE
   */
  async compareObjects(signal: AbortSignal): Promise<ComparisonResult | null> {
    const findings: ComparisonResult = { at: this.clock.now(), objects: 0, orphanCount: 0, orphans: [], missing: [] };
    for (const prefix of keyPrefixesOf('files')) {
      if (signal.aborted) return null;
      await this.compareFiles(prefix, findings);
    }
    for (const prefix of keyPrefixesOf(THUMBNAIL_KEY_PREFIX)) {
      if (signal.aborted) return null;
      const lost = await this.findLost(prefix, await this.findDerived(['file_thumbnails'], prefix), findings);
      for (const [key, fileId] of lost) await this.thumbnail.regenerateLost(fileId, key);
    }
    for (const prefix of keyPrefixesOf(PAGE_KEY_PREFIX)) {
      if (signal.aborted) return null;
      const rows = await this.findDerived(['file_pages', 'file_pdfs', 'file_page_texts'], prefix);
      for (const [key, fileId] of await this.findLost(prefix, rows, findings)) {
        await this.pageStore.rerenderLost(fileId, key);
        await this.pageTextStore.reextractLost(fileId, key);
      }
    }
    await this.thumbnail.enqueueMissing(signal);
    await this.document.enqueueMissing(signal);
    await this.pageTextStore.enqueueMissing(signal);
    return findings;
  }

  private async compareFiles(prefix: string, findings: ComparisonResult): Promise<void> {
    const rows = await this.findFiles(prefix);
    await this.findOrphans(prefix, rows, findings);
    for (const key of await this.findStillPresent([...rows.keys()])) {
      if (!(await this.storage.stat(key))) findings.missing.push(rows.get(key)!);
    }
  }

  /** The pictures that rows name and that are not there, with their files. */
  private async findLost(
    prefix: string,
    rows: Map<string, number>,
    findings: ComparisonResult,
  ): Promise<[string, number][]> {
    await this.findOrphans(prefix, rows, findings);
    const lost: [string, number][] = [];
    for (const row of rows) if (!(await this.storage.stat(row[0]))) lost.push(row);
    return lost;
  }

  /**
   * Finds what nothing names, and takes out of `rows` what is there. Rows were read first: whatever has a row by then
   * has had its object before.
   */
  private async findOrphans(prefix: string, rows: Map<string, number>, findings: ComparisonResult): Promise<void> {
    // The age of an object is told by the machine that keeps it, whatever the clock of the application says.
    const before = addMilliseconds(new Date(), -GRACE_PERIOD);
    let unknown: OrphanObject[] = [];
    for await (const { key, size, modifiedAt } of this.storage.list(prefix)) {
      findings.objects++;
      if (rows.delete(key) || modifiedAt >= before) continue;
      unknown.push({ key, size });
      if (unknown.length < BATCH_SIZE) continue;
      await this.addUnreferenced(unknown, findings);
      unknown = [];
    }
    await this.addUnreferenced(unknown, findings);
  }

  private async addUnreferenced(objects: readonly OrphanObject[], findings: ComparisonResult): Promise<void> {
    const named = await this.names.findReferenced(objects.map(({ key }) => key));
    const strays = objects.filter(({ key }) => !named.has(key));
    findings.orphanCount += strays.length;
    findings.orphans.push(...strays.slice(0, MAX_ORPHANS - findings.orphans.length));
  }

  private async findFiles(prefix: string): Promise<Map<string, number>> {
    const rows = await query<Tables>(this.em)
      .selectFrom('files')
      .select(['object_key', 'id'])
      .where('object_key', 'like', `${prefix}%`)
      .where('storage_type', '=', this.storage.type)
      .execute();
    return new Map(rows.map(({ object_key, id }) => [object_key, Number(id)]));
  }

  /** What is made of files and named by those tables. */
  private async findDerived(tables: readonly DerivedTable[], prefix: string): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const table of tables) {
      const key = sql.ref(DERIVED_KEY_COLUMNS[table]);
      const { rows } = await sql<{ key: string; file_id: number }>`
        select ${key} as key, t.file_id from ${sql.table(table)} t join files f on f.id = t.file_id
        where ${key} like ${`${prefix}%`} and f.storage_type = ${this.storage.type}`.execute(query<Tables>(this.em));
      for (const row of rows) found.set(row.key, Number(row.file_id));
    }
    return found;
  }

  /** A file that was purged meanwhile misses nothing. */
  private async findStillPresent(keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const rows = await query<Tables>(this.em)
      .selectFrom('files')
      .select('object_key')
      .where('object_key', 'in', keys)
      .execute();
    return rows.map(({ object_key }) => object_key);
  }
}
