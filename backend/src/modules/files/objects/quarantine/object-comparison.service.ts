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

/** Younger objects may still be waiting for their row. */
const GRACE_PERIOD = 48 * HOUR;
/** Keys per query. */
const BATCH_SIZE = 1000;
/** Maximum number of orphans collected in one run; the next run finds the rest. */
const MAX_ORPHANS = 10_000;

/** Columns that hold the keys of objects derived from files. */
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
  /** Number of objects in storage. */
  objects: number;
  /** Number of objects that no row references. */
  orphanCount: number;
  readonly orphans: OrphanObject[];
  /** Ids of files whose object is missing. */
  readonly missing: number[];
}

/**
 * Compares the objects in storage with the rows that reference them. The only change it makes is to regenerate lost or
 * missing thumbnails, pages and page texts. Keys are processed in 256 partitions, so that neither memory use nor query
 * size grows with their number.
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
   * Compares all objects.
   * @returns null if aborted before the end
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

  /** Returns the keys that rows reference but that are missing from storage, with their file ids. */
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
   * Collects unreferenced objects and removes existing keys from `rows`. The rows are read first: an object is stored
   * before its row is written, so every row read has had its object.
   */
  private async findOrphans(prefix: string, rows: Map<string, number>, findings: ComparisonResult): Promise<void> {
    // Uses the system clock, not the application's `Clock`, because the storage host sets the objects' timestamps.
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
    const orphans = objects.filter(({ key }) => !named.has(key));
    findings.orphanCount += orphans.length;
    findings.orphans.push(...orphans.slice(0, MAX_ORPHANS - findings.orphans.length));
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

  /** Returns the keys of derived objects that the given tables reference. */
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

  /** Leaves out files that were purged in the meantime; their objects are not missing. */
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
