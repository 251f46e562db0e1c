import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type StreamableFile } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { fieldColumns, streamCsvFile, type CsvColumns } from '../../../platform/http/lists/csv-file.js';
import { encodeCursor } from '../../../platform/http/lists/cursor.js';
import { MemberListRepository, type MemberRow } from './member-list.repository.js';
import { displayedLastName } from '../../auth/entities/user.entity.js';

const BATCH_SIZE = 1000;

/** Columns of the file; `email`, `firstName` and `lastName` are those that an import reads. */
const COLUMNS: CsvColumns<MemberRow> = {
  ...fieldColumns('email', 'firstName'),
  lastName: displayedLastName,
  ...fieldColumns('username', 'role', 'joinMethod'),
  joinedAt: (row) => row.createdAt,
  expiresAt: (row) => row.expiresAt,
  getsMails: (row) => (row.getsMails ? 'yes' : 'no'),
};

/** Exports members as a CSV file. */
@Injectable()
export class MemberExportService {
  constructor(
    private readonly em: EntityManager,
    private readonly members: MemberListRepository,
    private readonly audit: AuditRepository,
  ) {}

  /** Streams the members of a zone in order of joining, read in batches. */
  async exportMembers(zoneId: number, by: { actorId: number; ipAddress: string | null }): Promise<StreamableFile> {
    await this.audit.record(this.em, { type: 'zone.members-exported', ...by, params: { zoneId } });
    return streamCsvFile(`members-${zoneId}`, COLUMNS, this.readRows(zoneId));
  }

  private async *readRows(zoneId: number): AsyncGenerator<MemberRow> {
    for (let cursor: string | undefined, full = true; full;) {
      const rows: MemberRow[] = await this.members.listMembers(
        zoneId,
        { sort: 'joined', order: 'asc', cursor },
        BATCH_SIZE,
      );
      yield* rows;
      const last = rows.at(-1);
      full = rows.length === BATCH_SIZE;
      if (last) cursor = encodeCursor([last.sortKey, last.id]);
    }
  }
}
