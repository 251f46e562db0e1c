import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { readInBatches, type RowStream } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { personalData } from './personal-data.map.js';
import { matchesUserId, type ExportedList, type DataSubject } from './personal-table.js';

type Row = Record<string, unknown>;

const LIMIT_PER_USER: RateRule = { name: 'export', limit: 10, window: HOUR };

/** Exports everything stored about a user, for that user. */
@Injectable()
export class PersonalDataExportService {
  private readonly logger = new Logger(PersonalDataExportService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimitService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Returns the export as the text of a JSON object with one list per section. It is streamed, so memory use does not
   * grow with its size.
   * @throws TOO_MANY_REQUESTS before the first byte
   */
  async startExport({ userId, email }: Viewer, ipAddress: string | null): Promise<AsyncGenerator<string>> {
    await this.limits.consume(LIMIT_PER_USER, userId);
    await this.audit.record(this.em, { type: 'user.data-exported', actorId: userId, subjectId: userId, ipAddress });
    return this.withErrorLogging({ id: userId, email });
  }

  /** The response has already started when an error occurs, so the error can only be logged. */
  private async *withErrorLogging(person: DataSubject): AsyncGenerator<string> {
    try {
      yield* this.writeJson(person);
    } catch (error) {
      this.logger.error({ err: error }, 'Export was interrupted');
      throw error;
    }
  }

  private async *writeJson(person: DataSubject): AsyncGenerator<string> {
    yield `{\n"exportedAt": ${JSON.stringify(this.clock.now())}`;
    const em = this.em.fork();
    const lists = personalData.flatMap(({ table, exported }) => exported.map((list) => ({ from: table, ...list })));
    for (const list of lists) {
      yield `,\n${JSON.stringify(list.name)}: [`;
      let separator = '\n';
      for await (const row of streamRows(em, list, person)) {
        yield separator + JSON.stringify(row);
        separator = ',\n';
      }
      yield '\n]';
    }
    yield '\n}\n';
  }
}

/** Turns `m.created_at as joined_at` into a column named "joinedAt". */
function toSelectColumn(field: string): string {
  const [value, alias = value!.split('.').at(-1)!] = field.trim().split(/\s+as\s+/);
  return `${value} as "${camelCase(alias)}"`;
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Splits at commas outside of parentheses; those inside separate function arguments. */
const splitColumns = (list: string) => list.split(/,\s+(?![^(]*\))/);

/** Streams the rows of one list in batches. */
function streamRows(em: EntityManager, list: ExportedList & { from: string }, person: DataSubject): RowStream {
  const { fields, from, of = matchesUserId('user_id'), atOnce, pagedBy = 'id bigint' } = list;
  const rows = sql`select ${sql.raw(splitColumns(fields).map(toSelectColumn).join(', '))} from ${sql.raw(from)} where ${of(person)}`;
  const read = async (statement: RawBuilder<unknown>) => (await statement.execute(query(em))).rows as Row[];
  if (atOnce) return yieldAll(() => read(sql`${rows} order by ${sql.raw(atOnce)}`));
  const keys = splitColumns(pagedBy).map((key) => key.split(' ') as [column: string, type: string]);
  const names = sql.raw(keys.map(([name]) => name).join(', '));
  return readInBatches((last: Row | null, limit) => {
    const values = keys.map(([name, type]) => sql`${last?.[camelCase(name.split('.').at(-1)!)]}::${sql.raw(type)}`);
    const after = last ? sql` and (${names}) > (${sql.join(values)})` : sql``;
    return read(sql`${rows}${after} order by ${names} limit ${limit}`);
  });
}

async function* yieldAll(read: () => Promise<Row[]>): RowStream {
  yield* await read();
}
