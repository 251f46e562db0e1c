import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../platform/database/query.js';
import { AudienceSchema } from './entities/audience.entity.js';

export interface AudiencePerson {
  readonly id: number;
  /** In lower case. */
  readonly email: string;
}

/**
 * The distinct people of an owner. Rows are touched in the order of their addresses, so that two who count many people
 * at once wait for each other and do not deadlock.
 */
@Injectable()
export class AudienceService {
  /**
   * The statement that counts one more zone for each of the people. It gives a row a person; `counted` is 1 for those
   * who are new in the audience, whom the caller takes from the plan.
   */
  adding(ownerId: number, people: readonly AudiencePerson[]): RawBuilder<{ counted: number }> {
    const rows = people.map(({ id, email }) => ({ id, email }));
    return sql`
      insert into audience (owner_id, email_key, user_id, zones)
      select ${ownerId}::bigint, p.email, p.id, 1
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p(id bigint, email text) order by p.email
      on conflict (owner_id, email_key) do update set zones = audience.zones + 1, user_id = excluded.user_id
      returning zones + pending as counted`;
  }

  /**
   * Counts one zone less for each of the addresses.
   * @returns how many of them are in no zone of the owner any more, which the caller gives back to the plan last
   */
  async remove(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    if (emails.length === 0) return 0;
    const counted = await sql<{ email: string; counted: number }>`
      with mine as (
        select email_key from audience
        where owner_id = ${ownerId} and email_key in (select jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb))
        order by email_key for update
      )
      update audience set zones = audience.zones - 1 from mine
      where audience.owner_id = ${ownerId} and audience.email_key = mine.email_key
      returning audience.email_key as email, zones + pending as counted`.execute(query<typeof AudienceSchema>(em));
    const gone = counted.rows.filter((row) => Number(row.counted) === 0).map(({ email }) => email);
    if (gone.length === 0) return 0;
    await query<typeof AudienceSchema>(em)
      .deleteFrom('audience')
      .where('owner_id', '=', ownerId)
      .where('email_key', 'in', gone)
      .execute();
    return gone.length;
  }

  /** Those of the addresses that count as people of the owner already: for them no place of the plan is needed. */
  async known(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    if (emails.length === 0) return new Set();
    const rows = await query<typeof AudienceSchema>(em)
      .selectFrom('audience')
      .select('email_key')
      .where('owner_id', '=', ownerId)
      .where('email_key', 'in', [...emails])
      .where(sql<boolean>`zones + pending > 0`)
      .execute();
    return new Set(rows.map((row) => row.email_key));
  }
}
