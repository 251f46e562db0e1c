import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type StreamableFile } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { csvFile, type Columns } from '../../platform/http/lists/csv-file.js';
import type { Actor } from './actor.js';

/** Lists as files. Who takes one along is recorded. */
@Injectable()
export class ExportService {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: Audit,
  ) {}

  /** @param list what the file holds, and its name */
  async start<R>(list: string, by: Actor, rows: AsyncIterable<R>, columns: Columns<R>): Promise<StreamableFile> {
    await this.audit.record(this.em, { type: 'admin.list-exported', ...by, params: { list } });
    return csvFile(list, columns, rows);
  }
}
