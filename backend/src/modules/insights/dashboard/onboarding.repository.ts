import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { StartDto, StartStep } from '../dto/start.dto.js';

/** The onboarding checklist for new owners. */
@Injectable()
export class OnboardingRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns the state of the checklist. It counts as closed for users who have members but no recorded step, because
   * they got this far without it.
   */
  async getChecklist(ownerId: number): Promise<StartDto> {
    const { rows } = await sql<StartDto>`
      select coalesce((u.start_steps ->> 'closed')::boolean, u.start_steps is null and owned.reader) as closed,
        owned.zone, owned.file, owned.reader,
        coalesce((u.start_steps ->> 'visitorPreview')::boolean, false) as "visitorPreview",
        coalesce((u.start_steps ->> 'link')::boolean, false) as link
      from users u cross join lateral (
        select count(*) > 0 as zone, coalesce(bool_or(s.files > 0), false) as file,
          coalesce(bool_or(s.members > 0), false) as reader
        from zones z join zone_stats s on s.zone_id = z.id where z.owner_id = u.id and z.deleted_at is null
      ) owned
      where u.id = ${ownerId}`.execute(query(this.em));
    return rows[0]!;
  }

  /** Records a completed step; it stays completed. Does not open the checklist for users who never had one. */
  async recordStep(ownerId: number, step: StartStep): Promise<StartDto> {
    await sql`
      update users set start_steps = coalesce(start_steps, case when exists (
          select from zones z join zone_stats s on s.zone_id = z.id
          where z.owner_id = users.id and z.deleted_at is null and s.members > 0
        ) then '{"closed": true}'::jsonb else '{}' end) || jsonb_build_object(${step}::text, true)
      where id = ${ownerId} and start_steps ->> ${step}::text is null`.execute(query(this.em));
    return this.getChecklist(ownerId);
  }
}
