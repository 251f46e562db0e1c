import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { Actor } from '../actor.js';
import type { ConsentProofDto } from '../dto/admin-user.dto.js';
import { ConsentProofRepository } from './consent-proof.repository.js';

/** Proof of a user's email consents: when, from where and to which text, including those in deleted zones. */
@Injectable()
export class ConsentProofService {
  constructor(
    private readonly em: EntityManager,
    private readonly consents: ConsentProofRepository,
    private readonly audit: AuditRepository,
  ) {}

  /** Returns consents, newest first. Each access is audited with actor and subject. */
  async listProofs(
    userId: number,
    actor: Actor,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<ConsentProofDto>> {
    await this.audit.record(this.em, { type: 'user.consents-read', ...actor, subjectId: userId });
    const { rows, total } = await this.consents.findConsents(userId, { limit: limit + 1, cursor });
    return toPage(rows, limit, total, ({ id }) => [id]);
  }
}
