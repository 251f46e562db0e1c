import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify';
import { Audit } from '../../platform/audit/audit.service.js';
import { encodeCursor } from '../../platform/http/cursor.js';
import { MemberListService, type MemberRow } from './member-list.service.js';

const BATCH = 1000;

/** The columns of the file; `email`, `firstName` and `lastName` are those that an import reads. */
const COLUMNS = [
  'email',
  'firstName',
  'lastName',
  'username',
  'role',
  'joinMethod',
  'joinedAt',
  'expiresAt',
  'getsMails',
];

/** Members as a CSV file. */
@Injectable()
export class MemberExportService {
  constructor(
    private readonly em: EntityManager,
    private readonly members: MemberListService,
    private readonly audit: Audit,
  ) {}

  /**
   * The members of a zone, the first who joined first, as UTF-8 with a mark by which spreadsheets know it. Read and
   * written in batches, so that memory does not grow with the zone. A cell that a spreadsheet would run as a formula
   * gets an apostrophe before it.
   */
  async start(zoneId: number, by: { actorId: number; ipAddress: string | null }): Promise<Readable> {
    await this.audit.record(this.em, { type: 'zone.members-exported', ...by, params: { zoneId } });
    const rows = Readable.from(this.rows(zoneId));
    const file = stringify({
      header: true,
      columns: COLUMNS,
      bom: true,
      escape_formulas: true,
      record_delimiter: 'windows',
    });
    rows.on('error', (error) => file.destroy(error));
    return rows.pipe(file);
  }

  private async *rows(zoneId: number): AsyncGenerator<string[]> {
    for (let cursor: string | undefined, full = true; full;) {
      const rows: MemberRow[] = await this.members.rows(zoneId, { sort: 'joined', order: 'asc', cursor }, BATCH);
      for (const row of rows) yield cells(row);
      const last = rows.at(-1);
      full = rows.length === BATCH;
      if (last) cursor = encodeCursor([last.sortKey, last.id]);
    }
  }
}

function cells(row: MemberRow): string[] {
  const { email, firstName, lastName, username, role, joinMethod, createdAt, expiresAt, getsMails } = row;
  const last = lastName === '.' ? '' : (lastName ?? '');
  const ends = expiresAt?.toISOString() ?? '';
  return [
    ...[email, firstName ?? '', last, username ?? '', role, joinMethod],
    ...[createdAt.toISOString(), ends, getsMails ? 'yes' : 'no'],
  ];
}
