import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type StreamableFile } from '@nestjs/common';
import { AuditRepository } from '../../platform/audit/audit.repository.js';
import { streamCsvFile, type CsvColumns } from '../../platform/http/lists/csv-file.js';
import type { Actor } from './actor.js';

/** Exports lists as CSV files. Each export is audited. */
@Injectable()
export class ListExportService {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditRepository,
  ) {}

  /** @param list the content and name of the file */
  async exportList<R>(
    list: string,
    actor: Actor,
    rows: AsyncIterable<R>,
    columns: CsvColumns<R>,
  ): Promise<StreamableFile> {
    await this.audit.record(this.em, { type: 'admin.list-exported', ...actor, params: { list } });
    return streamCsvFile(list, columns, rows);
  }
}
