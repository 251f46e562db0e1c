import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, HOUR } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import { NamedObjects } from '../../../../platform/storage/identity/named-objects.js';
import { prefixesOf, Storage, type ObjectInfo } from '../../../../platform/storage/storage.js';
import type { FileSchema } from '../../entities/file.entity.js';
import { FileDocuments } from '../../pages/file-documents.service.js';
import { FilePages, PAGES } from '../../pages/file-pages.service.js';
import { FileTexts } from '../../pages/file-texts.service.js';
import { THUMBNAILS, ThumbnailMaker } from '../../thumbnails/thumbnail-maker.service.js';

type Tables = typeof FileSchema;

/** Younger objects may be on their way to a row. */
const GRACE = 48 * HOUR;
/** Keys asked for in one query. */
const BATCH = 1000;
/** Strays that are remembered; more are found again the next time. */
const MOST_STRAYS = 10_000;

/** Where tables name what is made of files. */
const KEYS = {
  file_thumbnails: 't.object_key',
  file_pages: 't.object_key',
  file_pdfs: 't.object_key',
  file_page_texts: 't.layer_key',
} as const;
type Derived = keyof typeof KEYS;

type Stray = Pick<ObjectInfo, 'key' | 'size'>;

export interface Findings {
  readonly at: Date;
  /** Objects that are there. */
  objects: number;
  /** How many of them nothing names. */
  strayCount: number;
  readonly strays: Stray[];
  /** Ids of files whose object is missing. */
  readonly missing: number[];
}

/**
 * Compares what the storage holds with what rows name, and changes nothing but thumbnails, pages and their texts that are
 * lost or missing, which are made again. It goes through the keys in 256 parts, so that neither memory nor one query grows with their number.
 */
@Injectable()
export class ObjectComparison {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly thumbnails: ThumbnailMaker,
    private readonly documents: FileDocuments,
    private readonly pages: FilePages,
    private readonly texts: FileTexts,
    private readonly names: NamedObjects,
  ) {}

  /**
   * Goes through all objects.
   * @returns null when it was told to stop before its end
   * @throws STORAGE_UNAVAILABLE
   */
  async compare(signal: AbortSignal): Promise<Findings | null> {
    const findings: Findings = { at: this.clock.now(), objects: 0, strayCount: 0, strays: [], missing: [] };
    for (const prefix of prefixesOf('files')) {
      if (signal.aborted) return null;
      await this.compareFiles(prefix, findings);
    }
    for (const prefix of prefixesOf(THUMBNAILS)) {
      if (signal.aborted) return null;
      const lost = await this.lostUnder(prefix, await this.derivedUnder(['file_thumbnails'], prefix), findings);
      for (const [key, fileId] of lost) await this.thumbnails.renew(fileId, key);
    }
    for (const prefix of prefixesOf(PAGES)) {
      if (signal.aborted) return null;
      const rows = await this.derivedUnder(['file_pages', 'file_pdfs', 'file_page_texts'], prefix);
      for (const [key, fileId] of await this.lostUnder(prefix, rows, findings)) {
        await this.pages.renew(fileId, key);
        await this.texts.renew(fileId, key);
      }
    }
    await this.thumbnails.orderMissing(signal);
    await this.documents.orderMissing(signal);
    await this.texts.orderMissing(signal);
    return findings;
  }

  private async compareFiles(prefix: string, findings: Findings): Promise<void> {
    const rows = await this.filesUnder(prefix);
    await this.findStrays(prefix, rows, findings);
    for (const key of await this.stillThere([...rows.keys()])) {
      if (!(await this.storage.stat(key))) findings.missing.push(rows.get(key)!);
    }
  }

  /** The pictures that rows name and that are not there, with their files. */
  private async lostUnder(prefix: string, rows: Map<string, number>, findings: Findings): Promise<[string, number][]> {
    await this.findStrays(prefix, rows, findings);
    const lost: [string, number][] = [];
    for (const row of rows) if (!(await this.storage.stat(row[0]))) lost.push(row);
    return lost;
  }

  /**
   * Finds what nothing names, and takes out of `rows` what is there. Rows were read first: whatever has a row by then
   * has had its object before.
   */
  private async findStrays(prefix: string, rows: Map<string, number>, findings: Findings): Promise<void> {
    // The age of an object is told by the machine that keeps it, whatever the clock of the application says.
    const before = after(new Date(), -GRACE);
    let unknown: Stray[] = [];
    for await (const { key, size, modifiedAt } of this.storage.list(prefix)) {
      findings.objects++;
      if (rows.delete(key) || modifiedAt >= before) continue;
      unknown.push({ key, size });
      if (unknown.length < BATCH) continue;
      await this.keepUnnamed(unknown, findings);
      unknown = [];
    }
    await this.keepUnnamed(unknown, findings);
  }

  private async keepUnnamed(objects: readonly Stray[], findings: Findings): Promise<void> {
    const named = await this.names.among(objects.map(({ key }) => key));
    const strays = objects.filter(({ key }) => !named.has(key));
    findings.strayCount += strays.length;
    findings.strays.push(...strays.slice(0, MOST_STRAYS - findings.strays.length));
  }

  private async filesUnder(prefix: string): Promise<Map<string, number>> {
    const rows = await query<Tables>(this.em)
      .selectFrom('files')
      .select(['object_key', 'id'])
      .where('object_key', 'like', `${prefix}%`)
      .where('storage_type', '=', this.storage.type)
      .execute();
    return new Map(rows.map(({ object_key, id }) => [object_key, Number(id)]));
  }

  /** What is made of files and named by those tables. */
  private async derivedUnder(tables: readonly Derived[], prefix: string): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const table of tables) {
      const key = sql.ref(KEYS[table]);
      const { rows } = await sql<{ key: string; file_id: number }>`
        select ${key} as key, t.file_id from ${sql.table(table)} t join files f on f.id = t.file_id
        where ${key} like ${`${prefix}%`} and f.storage_type = ${this.storage.type}`.execute(query<Tables>(this.em));
      for (const row of rows) found.set(row.key, Number(row.file_id));
    }
    return found;
  }

  /** A file that was purged meanwhile misses nothing. */
  private async stillThere(keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const rows = await query<Tables>(this.em)
      .selectFrom('files')
      .select('object_key')
      .where('object_key', 'in', keys)
      .execute();
    return rows.map(({ object_key }) => object_key);
  }
}
