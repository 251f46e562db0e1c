import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { Clock, HOUR } from '../../platform/clock/clock.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { PersonalDataPort, type Person } from '../auth/personal-data.port.js';

const BY_PERSON: RateRule = { name: 'export', limit: 10, window: HOUR };

/** Everything that the service holds of a person, for the person. */
@Injectable()
export class ExportService {
  private readonly logger = new Logger(ExportService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly port: PersonalDataPort,
    private readonly limits: RateLimits,
    private readonly audit: Audit,
  ) {}

  /**
   * The export as the text of one JSON object with a list a section, made while it is read: memory does not grow with
   * its size.
   * @throws TOO_MANY_REQUESTS before the first byte
   */
  async start({ userId, email }: Viewer, ipAddress: string | null): Promise<AsyncGenerator<string>> {
    await this.limits.take(BY_PERSON, userId);
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
    for (const [name, rows] of this.port.sections(this.em.fork(), person)) {
      yield `,\n${JSON.stringify(name)}: [`;
      let separator = '\n';
      for await (const row of rows) {
        yield separator + JSON.stringify(row);
        separator = ',\n';
      }
      yield '\n]';
    }
    yield '\n}\n';
  }
}
