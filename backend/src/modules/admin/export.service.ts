import { EntityManager } from '@mikro-orm/postgresql';
import { applyDecorators, Injectable, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { Audit } from '../../platform/audit/audit.service.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import type { Actor } from './actor.js';
import { csvFile, type Columns } from './csv-file.js';

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

/** The length of an admin list, for the contract. */
export const ApiTotal = { 'X-Total-Count': { schema: { type: 'integer' as const } } };

/** Documents a list as a file. */
export const ApiCsv = () =>
  applyDecorators(
    ApiProduces('text/csv'),
    ApiOkResponse({
      description: 'UTF-8 with a byte order mark',
      content: { 'text/csv': { schema: { type: 'string' } } },
    }),
    ApiErrors(commonErrors.VALIDATION_FAILED),
  );
