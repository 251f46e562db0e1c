import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Audit } from '../../../platform/audit/audit.service.js';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { inBatches, type Rows } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { personalData } from './personal-data.map.js';
import { hasId, type ExportedList, type Person } from './personal-table.js';

type Row = Record<string, unknown>;

const BY_PERSON: RateRule = { name: 'export', limit: 10, window: HOUR };

/** Everything that the service holds of a person, for the person. */
@Injectable()
export class ExportService {
  private readonly logger = new Logger(ExportService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly audit: Audit,
  ) {}

  /**
   * The export as the text of one JSON object with a list a section, made while it is read: memory does not grow with
   * its size.
   * @throws TOO_MANY_REQUESTS before the first byte
   */
  async start({ userId, email }: Viewer, ipAddress: string | null): Promise<AsyncGenerator<string>> {
    await this.limits.spend(BY_PERSON, userId);
    await this.audit.record(this.em, { type: 'user.data-exported', actorId: userId, subjectId: userId, ipAddress });
    return this.watched({ id: userId, email });
  }

  /** The answer is under way when a fault comes: it can only be logged. */
  private async *watched(person: Person): AsyncGenerator<string> {
    try {
      yield* this.write(person);
    } catch (error) {
      this.logger.error({ err: error }, 'An export broke off');
      throw error;
    }
  }

  private async *write(person: Person): AsyncGenerator<string> {
    yield `{\n"exportedAt": ${JSON.stringify(this.clock.now())}`;
    const em = this.em.fork();
    const lists = personalData.flatMap(({ table, exported }) => exported.map((list) => ({ from: table, ...list })));
    for (const list of lists) {
      yield `,\n${JSON.stringify(list.name)}: [`;
      let separator = '\n';
      for await (const row of exportedRows(em, list, person)) {
        yield separator + JSON.stringify(row);
        separator = ',\n';
      }
      yield '\n]';
    }
    yield '\n}\n';
  }
}

/** `m.created_at as joined_at` under the name "joinedAt". */
function column(field: string): string {
  const [value, alias = value!.split('.').at(-1)!] = field.trim().split(/\s+as\s+/);
  return `${value} as "${camelCase(alias)}"`;
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Commas inside of brackets belong to a function's arguments. */
const split = (list: string) => list.split(/,\s+(?![^(]*\))/);

/** The rows of one list of a person's export, in batches. */
function exportedRows(em: EntityManager, list: ExportedList & { from: string }, person: Person): Rows {
  const { fields, from, of = hasId('user_id'), atOnce, pagedBy = 'id bigint' } = list;
  const rows = sql`select ${sql.raw(split(fields).map(column).join(', '))} from ${sql.raw(from)} where ${of(person)}`;
  const read = async (statement: RawBuilder<unknown>) => (await statement.execute(query(em))).rows as Row[];
  if (atOnce) return once(() => read(sql`${rows} order by ${sql.raw(atOnce)}`));
  const keys = split(pagedBy).map((key) => key.split(' ') as [column: string, type: string]);
  const names = sql.raw(keys.map(([name]) => name).join(', '));
  return inBatches((last: Row | null, limit) => {
    const values = keys.map(([name, type]) => sql`${last?.[camelCase(name.split('.').at(-1)!)]}::${sql.raw(type)}`);
    const after = last ? sql` and (${names}) > (${sql.join(values)})` : sql``;
    return read(sql`${rows}${after} order by ${names} limit ${limit}`);
  });
}

async function* once(read: () => Promise<Row[]>): Rows {
  yield* await read();
}
