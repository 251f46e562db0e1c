import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  inBatches,
  PersonalDataPort,
  type ErasedPerson,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../auth/personal-data.port.js';
import { SingleUseTokenSchema } from '../auth/entities/single-use-token.entity.js';
import { PendingJoinSchema } from './entities/pending-join.entity.js';
import { subjectOf } from './verify-join.service.js';

type Tables = typeof PendingJoinSchema | typeof SingleUseTokenSchema;

/** Wishes to join that hang on an address, not on a person's row. */
@Injectable()
export class LinksPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { email }: Person): Record<string, Rows> {
    return { pendingJoins: pendingJoins(em, email) };
  }

  async erase({ email, requestedAt }: ErasedPerson): Promise<ErasureState> {
    await inTransaction(this.em.fork(), async (em) => {
      const wishes = await query<Tables>(em)
        .deleteFrom('pending_joins')
        .where('email', '=', email)
        .where('created_at', '<=', requestedAt)
        .returning('id')
        .execute();
      if (wishes.length === 0) return;
      const subjects = wishes.map(({ id }) => subjectOf(id));
      await query<Tables>(em)
        .deleteFrom('single_use_tokens')
        .where('email', '=', email)
        .where('subject', 'in', subjects)
        .execute();
    });
    return 'done';
  }
}

const pendingJoins = (em: EntityManager, email: string) =>
  inBatches((last: { id: number } | null, limit) =>
    query<typeof PendingJoinSchema>(em)
      .selectFrom('pending_joins')
      .select(['id', 'zone_id as zoneId', 'consent_text as consentText', 'ip_address as ipAddress', 'language'])
      .select(['created_at as createdAt', 'expires_at as expiresAt', 'completed_at as completedAt'])
      .where('email', '=', email)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
