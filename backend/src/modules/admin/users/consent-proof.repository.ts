import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { countRows } from '../../../platform/http/lists/list.js';
import type { DeletedZoneSchema } from '../../zones/entities/deleted-zone.entity.js';
import type { EmailConsentSchema } from '../../zones/entities/email-consent.entity.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { ConsentProofDto } from '../dto/admin-user.dto.js';

type Tables = typeof EmailConsentSchema | typeof ZoneSchema | typeof DeletedZoneSchema;

/** Read access to email consents, including those in deleted zones. */
@Injectable()
export class ConsentProofRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns up to `limit` consents of a user from the cursor on, newest first, and the number of all. */
  async findConsents(
    userId: number,
    { limit, cursor }: { limit: number; cursor: string | undefined },
  ): Promise<{ rows: ConsentProofDto[]; total: number }> {
    let rows = this.selectConsents(userId)
      .leftJoin('zones as z', 'z.id', 'c.zone_id')
      .leftJoin('deleted_zones as g', 'g.id', 'c.zone_id')
      .select(['c.id as id', 'c.zone_id as zoneId', 'c.consented_at as consentedAt', 'c.ip_address as ipAddress'])
      .select(['c.consent_method as method', 'c.consent_text as text'])
      .select((row) => row.fn.coalesce('z.name', 'g.name').as('zoneName'))
      .select((row) => row.fn.coalesce('z.deleted_at', 'g.deleted_at').as('zoneDeletedAt'))
      .orderBy('c.id', 'desc')
      .limit(limit);
    if (cursor) rows = rows.where('c.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const total = await countRows(this.selectConsents(userId));
    return { rows: await rows.execute(), total };
  }

  private selectConsents(userId: number) {
    return query<Tables>(this.em).selectFrom('email_consents as c').where('c.user_id', '=', userId);
  }
}
