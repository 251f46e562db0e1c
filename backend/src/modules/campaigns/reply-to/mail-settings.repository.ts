import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { ZoneMailSettings, type ZoneMailSettingsSchema } from '../entities/zone-mail-settings.entity.js';

type Tables = typeof ZoneMailSettingsSchema | typeof ZoneSchema | typeof UserSchema;

/** Sender details of zones and their setting for the welcome email. Zones without a row use the defaults. */
@Injectable()
export class MailSettingsRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns the zone's settings as stored now. */
  findSettings(zoneId: number): Promise<ZoneMailSettings | null> {
    return this.em.findOne(ZoneMailSettings, { zoneId }, { refresh: true });
  }

  /** Returns the sender of a zone's emails: its settings and its owner. */
  findSender(em: EntityManager, zoneId: number) {
    return query<Tables>(em)
      .selectFrom('zones as z')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .leftJoin('zone_mail_settings as s', 's.zone_id', 'z.id')
      .select(['z.id as zoneId', 'z.name as zoneName', 's.from_name as fromName', 's.reply_to as replyTo'])
      .select(['s.reply_to_proved_at as provedAt', 'o.email_verified as isVerified'])
      .select(['o.id as ownerId', 'o.email as ownerEmail', 'o.language as language', 'o.postal_address as address'])
      .where('z.id', '=', zoneId)
      .executeTakeFirstOrThrow();
  }

  /**
   * Changes the given settings and creates the row if needed.
   * @returns whether the welcome email is enabled
   */
  async updateSettings(
    em: EntityManager,
    zoneId: number,
    { fromName, welcomeEnabled }: { fromName?: string | null; welcomeEnabled?: boolean },
  ): Promise<boolean> {
    const rows = query<Tables>(em);
    await rows
      .insertInto('zone_mail_settings')
      .values({ zone_id: zoneId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { welcomed } = await rows
      .updateTable('zone_mail_settings')
      .set({
        zone_id: zoneId,
        ...(fromName !== undefined && { from_name: fromName }),
        ...(welcomeEnabled !== undefined && { welcome_enabled: welcomeEnabled }),
      })
      .where('zone_id', '=', zoneId)
      .returning('welcome_enabled as welcomed')
      .executeTakeFirstOrThrow();
    return welcomed;
  }

  /** Changes the reply-to address, which is then unconfirmed; an unchanged one stays as it is. */
  async updateReplyTo(em: EntityManager, zoneId: number, replyTo: string | null): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_mail_settings')
      .set({ reply_to: replyTo, reply_to_proved_at: null, reply_to_asked_at: null })
      .where('zone_id', '=', zoneId)
      .where('reply_to', 'is distinct from', replyTo)
      .execute();
  }

  /** Marks the reply-to address as confirmed if it is the owner's own verified address. */
  async setProvedIfOwn(em: EntityManager, zoneId: number, ownerId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_mail_settings')
      .set({ reply_to_proved_at: this.clock.now() })
      .where('zone_id', '=', zoneId)
      .where('reply_to_proved_at', 'is', null)
      .where('reply_to', 'in', (of) =>
        of.selectFrom('users').select('email').where('id', '=', ownerId).where('email_verified', '=', true),
      )
      .execute();
  }

  /** Marks the reply-to address as confirmed, unless it is. */
  async setProved(em: EntityManager, zoneId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_mail_settings')
      .set({ reply_to_proved_at: sql<Date>`coalesce(reply_to_proved_at, ${this.clock.now()})` })
      .where('zone_id', '=', zoneId)
      .execute();
  }

  /** Records that the confirmation link is sent. */
  async setAsked(em: EntityManager, zoneId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_mail_settings')
      .set({ reply_to_asked_at: this.clock.now() })
      .where('zone_id', '=', zoneId)
      .execute();
  }

  /** Locks the settings and returns an unconfirmed reply-to address. */
  async lockUnproved(em: EntityManager, zoneId: number): Promise<string | null> {
    const row = await query<Tables>(em)
      .selectFrom('zone_mail_settings')
      .select('reply_to as email')
      .where('zone_id', '=', zoneId)
      .where('reply_to_proved_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    return row?.email ?? null;
  }

  /** Locks the settings and returns an unconfirmed reply-to address to which no link was sent. */
  async lockUnasked(em: EntityManager, zoneId: number): Promise<string | null> {
    const row = await query<Tables>(em)
      .selectFrom('zone_mail_settings')
      .select('reply_to as email')
      .where('zone_id', '=', zoneId)
      .where('reply_to_proved_at', 'is', null)
      .where('reply_to_asked_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    return row?.email ?? null;
  }

  /** Returns the name of the zone as long as it uses this reply-to address and has not confirmed it. */
  async findZoneOfUnproved(zoneId: number, email: string): Promise<string | null> {
    const row = await this.currentReplyToQuery(this.em, zoneId, email)
      .select(['z.name as zoneName'])
      .where('s.reply_to_proved_at', 'is', null)
      .executeTakeFirst();
    return row?.zoneName ?? null;
  }

  /** Locks the settings as long as the zone uses this reply-to address. */
  async lockReplyTo(
    em: EntityManager,
    zoneId: number,
    email: string,
  ): Promise<{ isProved: boolean; ownerId: number } | null> {
    const row = await this.currentReplyToQuery(em, zoneId, email)
      .select(['s.reply_to_proved_at as provedAt', 'o.id as ownerId'])
      .forUpdate('s')
      .executeTakeFirst();
    return row ? { isProved: Boolean(row.provedAt), ownerId: row.ownerId } : null;
  }

  /** Returns the reply-to address of a zone that waits for its confirmation, with the owner. */
  async findPending(zoneId: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('zone_mail_settings as s')
      .innerJoin('zones as z', 'z.id', 's.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['s.reply_to as email', 'z.name as zoneName', 'o.id as ownerId', 'o.language as language'])
      .select(['o.first_name as firstName', 'o.last_name as lastName'])
      .where('s.zone_id', '=', zoneId)
      .where('s.reply_to', 'is not', null)
      .where('s.reply_to_proved_at', 'is', null)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where('o.erased_at', 'is', null)
      .executeTakeFirst();
    return row?.email ? { ...row, email: row.email } : null;
  }

  async hasWelcomeEnabled(em: EntityManager, zoneId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('zone_mail_settings')
      .select('zone_id')
      .where('zone_id', '=', zoneId)
      .where('welcome_enabled', '=', true)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Counts new members who got no welcome email. */
  async addWelcomeSkipped(zoneId: number, count: number): Promise<void> {
    await sql`update zone_mail_settings set welcome_skipped = welcome_skipped + ${count}
      where zone_id = ${zoneId}`.execute(query<Tables>(this.em.fork()));
  }

  private currentReplyToQuery(em: EntityManager, zoneId: number, email: string) {
    return query<Tables>(em)
      .selectFrom('zone_mail_settings as s')
      .innerJoin('zones as z', 'z.id', 's.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .where('s.zone_id', '=', zoneId)
      .where('s.reply_to', '=', email)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null);
  }
}
