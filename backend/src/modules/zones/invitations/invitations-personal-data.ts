import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import {
  inBatches,
  PersonalDataPort,
  type ErasedPerson,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../../auth/personal-data.port.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { InvitationPlaces } from './invitation-places.service.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema;

/** Invitations to a person: they hang on the address, not on the person's row. */
@Injectable()
export class InvitationsPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
    private readonly places: InvitationPlaces,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { email }: Person): Record<string, Rows> {
    return { invitations: invitations(em, email) };
  }

  async erase({ email, requestedAt }: ErasedPerson, signal: AbortSignal): Promise<ErasureState> {
    const em = this.em.fork();
    for (const { id, ownerId } of await this.of(em, email, requestedAt)) {
      signal.throwIfAborted();
      await inTransaction(em, async (em) => {
        const gone = await query<Tables>(em)
          .deleteFrom('invitations')
          .where('id', '=', id)
          .returning('is_counted as isCounted')
          .executeTakeFirst();
        if (gone?.isCounted) await this.places.release(em, ownerId, [email]);
      });
    }
    return 'done';
  }

  /** Later ones are for whoever has the address by then. */
  private of(em: EntityManager, email: string, before: Date) {
    return query<Tables>(em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .select(['i.id as id', 'z.owner_id as ownerId'])
      .where('i.email', '=', email)
      .where('i.created_at', '<=', before)
      .execute();
  }
}

const invitations = (em: EntityManager, email: string) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('invitations')
      .select(['id', 'zone_id as zoneId', 'first_name as firstName', 'last_name as lastName', 'used'])
      .select(['created_at as createdAt', 'sent_at as sentAt', 'expires_at as expiresAt', 'used_at as usedAt'])
      .where('email', '=', email)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
