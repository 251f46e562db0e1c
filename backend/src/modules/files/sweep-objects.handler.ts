import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { after, HOUR } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { ClockTick, JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { prefixesOf, Storage } from '../../platform/storage/storage.js';
import { FileThumbnailSchema } from './entities/file-thumbnail.entity.js';
import { FileSchema } from './entities/file.entity.js';
import { UploadSchema } from './entities/upload.entity.js';
import { UploadPartSchema } from './entities/upload-part.entity.js';
import { sweepObjects } from './sweep-objects.job.js';
import { THUMBNAILS, ThumbnailService } from './thumbnail.service.js';

type Tables = typeof FileSchema | typeof FileThumbnailSchema | typeof UploadSchema | typeof UploadPartSchema;

/** Younger objects may be on their way to a row. */
const GRACE = 48 * HOUR;
/** Keys asked for in one query. */
const BATCH = 1000;
/** Files named in the record of one sweep. */
const NAMED = 100;

interface Findings {
  removed: number;
  readonly missing: number[];
}

/**
 * The last net under everything that writes and removes objects: what nothing names is removed, what is named and not
 * there is reported. It goes through the keys in 256 parts, so that neither memory nor one query grows with their number.
 */
@Injectable()
@JobHandler(sweepObjects)
export class SweepObjectsHandler {
  private readonly logger = new Logger(SweepObjectsHandler.name);

  constructor(
    private readonly em: EntityManager,
    private readonly storage: Storage,
    private readonly audit: Audit,
    private readonly thumbnails: ThumbnailService,
  ) {}

  async handle(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    const findings: Findings = { removed: 0, missing: [] };
    for (const prefix of prefixesOf('files')) {
      if (signal.aborted) return;
      await this.compareFiles(prefix, findings);
    }
    for (const prefix of prefixesOf(THUMBNAILS)) {
      if (signal.aborted) return;
      await this.compareThumbnails(prefix, findings);
    }
    await this.thumbnails.orderMissing(signal);
    await this.report(findings);
  }

  private async compareFiles(prefix: string, findings: Findings): Promise<void> {
    const rows = await this.filesUnder(prefix);
    await this.removeStrays(prefix, rows, findings);
    for (const key of await this.stillThere([...rows.keys()])) {
      if (!(await this.storage.stat(key))) findings.missing.push(rows.get(key)!);
    }
  }

  /** A small picture that is lost is made again. */
  private async compareThumbnails(prefix: string, findings: Findings): Promise<void> {
    const rows = await this.thumbnailsUnder(prefix);
    await this.removeStrays(prefix, rows, findings);
    for (const [key, fileId] of rows) {
      if (!(await this.storage.stat(key))) await this.thumbnails.renew(fileId, key);
    }
  }

  /**
   * Removes what nothing names, and takes out of `rows` what is there. Rows were read first: whatever has a row by then
   * has had its object before.
   */
  private async removeStrays(prefix: string, rows: Map<string, number>, findings: Findings): Promise<void> {
    // The age of an object is told by the machine that keeps it, whatever the clock of the application says.
    const before = after(new Date(), -GRACE);
    let strays: string[] = [];
    for await (const { key, modifiedAt } of this.storage.list(prefix)) {
      if (rows.delete(key) || modifiedAt >= before) continue;
      strays.push(key);
      if (strays.length < BATCH) continue;
      findings.removed += await this.removeUnnamed(strays);
      strays = [];
    }
    findings.removed += await this.removeUnnamed(strays);
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

  private async thumbnailsUnder(prefix: string): Promise<Map<string, number>> {
    const rows = await query<Tables>(this.em)
      .selectFrom('file_thumbnails as t')
      .innerJoin('files as f', 'f.id', 't.file_id')
      .select(['t.object_key', 't.file_id'])
      .where('t.object_key', 'like', `${prefix}%`)
      .where('f.storage_type', '=', this.storage.type)
      .execute();
    return new Map(rows.map(({ object_key, file_id }) => [object_key, Number(file_id)]));
  }

  /** An upload under way names its object and its parts too. */
  private async removeUnnamed(keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    const rows = await query<Tables>(this.em)
      .selectFrom('files')
      .select('object_key')
      .where('object_key', 'in', keys)
      .union((uploads) => uploads.selectFrom('uploads').select('object_key').where('object_key', 'in', keys))
      .union((parts) => parts.selectFrom('upload_parts').select('object_key').where('object_key', 'in', keys))
      .union((pictures) => pictures.selectFrom('file_thumbnails').select('object_key').where('object_key', 'in', keys))
      .execute();
    const named = new Set(rows.map(({ object_key }) => object_key));
    const unnamed = keys.filter((key) => !named.has(key));
    for (const key of unnamed) await this.storage.delete(key);
    return unnamed.length;
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

  private async report({ removed, missing }: Findings): Promise<void> {
    if (removed === 0 && missing.length === 0) return;
    const params = { removed, missing: missing.length, fileIds: missing.sort((a, b) => a - b).slice(0, NAMED) };
    await this.audit.record(this.em, { type: 'storage.swept', params });
    if (missing.length > 0) this.logger.error(params, 'Files whose object is missing');
    else this.logger.warn(params, 'Objects that nothing named were removed');
  }
}
