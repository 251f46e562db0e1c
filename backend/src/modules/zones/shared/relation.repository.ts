import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import type { ImportOutcome, InviteOutcome } from './outcomes.js';

type Tables = typeof ZoneMemberSchema;

/** Finds how addresses are already related to a zone, with one query for a whole list. */
@Injectable()
export class RelationRepository {
  constructor(private readonly clock: Clock) {}

  /** Finds the owner, members, blocked people, and addresses with an open invitation. */
  async findForInvitation(
    em: EntityManager,
    zoneId: number,
    emails: readonly string[],
  ): Promise<Map<string, InviteOutcome>> {
    const now = this.clock.now();
    const { rows } = await sql<{ email: string; outcome: InviteOutcome }>`
      select m.email, case when m.role = 'owner' then 'OWNER' else 'ALREADY_MEMBER' end as outcome
      from zone_members m
      where m.zone_id = ${zoneId} and m.email = any(${[...emails]}::text[]) and (m.expires_at is null or m.expires_at > ${now})
      union all
      select i.email, 'ALREADY_INVITED'
      from invitations i
      where i.zone_id = ${zoneId} and i.email = any(${[...emails]}::text[]) and i.is_counted and i.expires_at > ${now}
      union all
      select u.email, 'BLOCKED' from users u join zone_blocks b on b.user_id = u.id and b.zone_id = ${zoneId}
      where u.email = any(${[...emails]}::text[])
    `.execute(query<Tables>(em));
    return firstByEmail(rows);
  }

  /** Finds members, blocked people, and people who left the zone or unsubscribed. */
  async findForImport(
    em: EntityManager,
    zoneId: number,
    emails: readonly string[],
  ): Promise<Map<string, ImportOutcome>> {
    const { rows } = await sql<{ email: string; outcome: ImportOutcome }>`
      with asked as (select jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb) as email)
      select m.email, case when m.role = 'owner' then 'OWNER' else 'ALREADY_MEMBER' end as outcome
      from asked join zone_members m on m.zone_id = ${zoneId} and m.email = asked.email
      where m.expires_at is null or m.expires_at > ${this.clock.now()}
      union all
      select u.email, 'LEFT' from asked join users u on u.email = asked.email
      join email_unsubscribes e on e.user_id = u.id and e.zone_id = ${zoneId}
      union all
      select u.email, 'BLOCKED' from asked join users u on u.email = asked.email
      join zone_blocks b on b.user_id = u.id and b.zone_id = ${zoneId}
    `.execute(query<Tables>(em));
    return firstByEmail(rows);
  }
}

function firstByEmail<Outcome>(rows: readonly { email: string; outcome: Outcome }[]): Map<string, Outcome> {
  const found = new Map<string, Outcome>();
  for (const { email, outcome } of rows) if (!found.has(email)) found.set(email, outcome);
  return found;
}
