import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { UsageSchema } from '../../plans/usage.entity.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';

/** Reads which owners have no monthly email quota. */
@Injectable()
export class EmailQuotaRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns owners of zones without the row of a month, by ascending id.
   * @param month "2026-11", UTC
   * @param after id of the last owner of the previous batch
   */
  async findOwnersWithoutQuota(month: string, after: number, limit: number): Promise<{ id: number }[]> {
    const { rows } = await sql<{ id: number }>`
      select distinct z.owner_id as id from zones z
      where z.deleted_at is null and z.owner_id > ${after} and not exists (
        select from usage m where m.owner_id = z.owner_id and m.metric = 'mails' and m.period = ${month})
      order by 1 limit ${limit}`.execute(query<typeof UsageSchema | typeof ZoneSchema>(this.em));
    return rows;
  }
}
