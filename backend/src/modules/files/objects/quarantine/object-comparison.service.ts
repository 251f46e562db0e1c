import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, HOUR } from '../../../../platform/clock/clock.js';
import { ReferencedObjects } from '../../../../platform/storage/ownership/referenced-objects.js';
import { keyPrefixesOf, Storage, type ObjectInfo } from '../../../../platform/storage/storage.js';
import { DocumentService } from '../../pages/document.service.js';
import { PageStoreService, PAGE_KEY_PREFIX } from '../../pages/page-store.service.js';
import { PageTextStoreService } from '../../pages/page-text-store.service.js';
import { THUMBNAIL_KEY_PREFIX, ThumbnailService } from '../../thumbnails/thumbnail.service.js';
import { ObjectReferenceRepository, type KeyTable } from './object-reference.repository.js';

/** Younger objects may still be waiting for their row. */
const GRACE_PERIOD = 48 * HOUR;
/** Keys per query. */
const BATCH_SIZE = 1000;
/** Maximum number of orphans collected in one run; the next run finds the rest. */
const MAX_ORPHANS = 10_000;

/** Limits of the comparison; tests lower them. */
@Injectable()
export class ComparisonLimits {
  /** If a table of a family has more rows, the family's keys are compared in 256 partitions. */
  readonly maxRowsAtOnce: number = 10_000;
}

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
 * missing thumbnails, pages and page texts. If there are many keys, they are processed in 256 partitions, so that neither
 * memory use nor query size grows with their number.
 */
@Injectable()
export class ObjectComparisonService {
  constructor(
    private readonly clock: Clock,
    private readonly references: ObjectReferenceRepository,
    private readonly storage: Storage,
    private readonly thumbnail: ThumbnailService,
    private readonly document: DocumentService,
    private readonly pageStore: PageStoreService,
    private readonly pageTextStore: PageTextStoreService,
    private readonly names: ReferencedObjects,
    private readonly limits: ComparisonLimits,
  ) {}

  /**
   * Compares all objects.
   * @returns null if aborted before the end
   * @throws STORAGE_UNAVAILABLE
   */
  async compareObjects(signal: AbortSignal): Promise<ComparisonResult | null> {
    const findings: ComparisonResult = { at: this.clock.now(), objects: 0, orphanCount: 0, orphans: [], missing: [] };
    for (const prefix of await this.partitionFamily('files', ['files', 'file_versions'])) {
      if (signal.aborted) return null;
      await this.compareFiles(prefix, findings);
    }
    for (const prefix of await this.partitionFamily(THUMBNAIL_KEY_PREFIX, ['file_thumbnails'])) {
      if (signal.aborted) return null;
      const lost = await this.findLost(
        prefix,
        await this.references.findDerived(['file_thumbnails'], prefix, this.storage.types),
        findings,
      );
      for (const [key, fileId] of lost) await this.thumbnail.regenerateLost(fileId, key);
    }
    const pageTables = ['file_pages', 'file_pdfs', 'file_page_texts'] as const;
    for (const prefix of await this.partitionFamily(PAGE_KEY_PREFIX, pageTables)) {
      if (signal.aborted) return null;
      const rows = await this.references.findDerived(pageTables, prefix, this.storage.types);
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

  /** Returns the prefixes by which a family is compared. A bucket is asked once for each. */
  private async partitionFamily(family: string, tables: readonly KeyTable[]): Promise<string[]> {
    const isLarge = await this.references.hasMoreRows(tables, this.limits.maxRowsAtOnce);
    return isLarge ? keyPrefixesOf(family) : [`${family}/`];
  }

  private async compareFiles(prefix: string, findings: ComparisonResult): Promise<void> {
    const rows = await this.references.findFiles(prefix, this.storage.types);
    await this.findOrphans(prefix, rows, findings);
    // Files that were purged in the meantime are left out; their objects are not missing.
    for (const key of await this.references.findFileKeys([...rows.keys()])) {
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
}
