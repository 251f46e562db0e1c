import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import {
  inBatches,
  PersonalDataPort,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../auth/personal-data.port.js';
import { ActivitySchema } from './entities/activity.entity.js';
import { FileOpeningSchema } from './entities/file-opening.entity.js';

/** Records removed by one statement. */
const BATCH = 1000;

/**
 * What people did. When an account goes, the records of its own zones go; in the zones of others somebody's doing stays,
 * under a number that leads to nobody; who opened which file is forgotten with the person's row.
 */
@Injectable()
export class ActivityPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id }: Person): Record<string, Rows> {
    return { activity: activityOf(em, id), openedFiles: openedFiles(em, id) };
  }

  async erase({ id }: Person, signal: AbortSignal): Promise<ErasureState> {
    for (let removed = BATCH; removed === BATCH;) {
      signal.throwIfAborted();
      const result = await sql`
        delete from activity where (id, created_at) in (
          select id, created_at from activity where owner_id = ${id} limit ${BATCH}
        )`.execute(query<typeof ActivitySchema>(this.em.fork()));
      removed = Number(result.numAffectedRows ?? 0);
    }
    return 'done';
  }
}

const activityOf = (em: EntityManager, userId: number) =>
  inBatches((last: ActivityRow | null, limit) => {
    let rows = query<typeof ActivitySchema>(em)
      .selectFrom('activity')
      .select(['id', 'type', 'params', 'zone_id as zoneId', 'file_id as fileId', 'created_at as createdAt'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit);
    if (last) {
      rows = rows.where(sql<boolean>`(created_at, id) > (${last.createdAt}::timestamptz, ${last.id}::bigint)`);
    }
    return rows.execute() as Promise<ActivityRow[]>;
  });

const openedFiles = (em: EntityManager, userId: number) =>
  inBatches((last: { fileId: number } | null, limit) =>
    query<typeof FileOpeningSchema>(em)
      .selectFrom('file_openings')
      .select(['file_id as fileId', 'first_at as firstAt', 'last_at as lastAt', 'views', 'downloads'])
      .where('user_id', '=', userId)
      .where('file_id', '>', last?.fileId ?? 0)
      .orderBy('file_id')
      .limit(limit)
      .execute(),
  );

interface ActivityRow {
  readonly id: number;
  readonly createdAt: Date;
}
