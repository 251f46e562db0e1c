import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { countRows, LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { DeletedZoneSchema } from '../../zones/entities/deleted-zone.entity.js';
import { EmailConsentSchema } from '../../zones/entities/email-consent.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { Actor } from '../actor.js';
import type { ConsentProofDto } from '../dto/admin-user.dto.js';

type Tables = typeof EmailConsentSchema | typeof ZoneSchema | typeof DeletedZoneSchema;

/** Proof of a user's email consents: when, from where and to which text, including those in deleted zones. */
@Injectable()
export class ConsentProofService {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditService,
  ) {}

  /** Returns consents, newest first. Each access is audited with actor and subject. */
  async listProofs(
    userId: number,
    actor: Actor,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<ConsentProofDto>> {
    await this.audit.record(this.em, { type: 'user.consents-read', ...actor, subjectId: userId });
    let rows = this.selectConsents(userId)
      .leftJoin('zones as z', 'z.id', 'c.zone_id')
      .leftJoin('deleted_zones as g', 'g.id', 'c.zone_id')
      .select(['c.id as id', 'c.zone_id as zoneId', 'c.consented_at as consentedAt', 'c.ip_address as ipAddress'])
      .select(['c.consent_method as method', 'c.consent_text as text'])
      .select((row) => row.fn.coalesce('z.name', 'g.name').as('zoneName'))
      .select((row) => row.fn.coalesce('z.deleted_at', 'g.deleted_at').as('zoneDeletedAt'))
      .orderBy('c.id', 'desc')
      .limit(limit + 1);
    if (cursor) rows = rows.where('c.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const total = await countRows(this.selectConsents(userId));
    return toPage(await rows.execute(), limit, total, ({ id }) => [id]);
  }

  private selectConsents(userId: number) {
    return query<Tables>(this.em).selectFrom('email_consents as c').where('c.user_id', '=', userId);
  }
}
