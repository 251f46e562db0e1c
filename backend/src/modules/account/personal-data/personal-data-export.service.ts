import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { PersonalDataRepository } from './personal-data.repository.js';
import { personalData } from './personal-data.sql.js';
import type { DataSubject } from './personal-table.sql.js';

const LIMIT_PER_USER: RateRule = { name: 'export', limit: 10, window: HOUR };

/** Exports everything stored about a user, for that user. */
@Injectable()
export class PersonalDataExportService {
  private readonly logger = new Logger(PersonalDataExportService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly personalRows: PersonalDataRepository,
    private readonly clock: Clock,
    private readonly limits: RateLimitService,
    private readonly audit: AuditRepository,
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
    const lists = personalData.flatMap(({ table, exported }) => exported.map((list) => ({ from: table, ...list })));
    for (const list of lists) {
      yield `,\n${JSON.stringify(list.name)}: [`;
      let separator = '\n';
      for await (const row of this.personalRows.streamRows(list, person)) {
        yield separator + JSON.stringify(row);
        separator = ',\n';
      }
      yield '\n]';
    }
    yield '\n}\n';
  }
}
