import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { inBatches, PersonalDataPort, type Person, type PersonalData, type Rows } from '../auth/personal-data.port.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { CampaignEventSchema } from './entities/campaign-event.entity.js';
import { CampaignSchema } from './entities/campaign.entity.js';
import { DeliverySchema } from './entities/delivery.entity.js';
import { EmailTemplateSchema } from './entities/email-template.entity.js';

type Tables =
  | typeof CampaignSchema
  | typeof DeliverySchema
  | typeof CampaignEventSchema
  | typeof EmailTemplateSchema
  | typeof ZoneSchema;

/**
 * Campaigns that somebody wrote, mails that they got, and what they did with them. At deletion campaigns go with the
 * zones and templates with the person's row; of a delivery the number stays, and the person is taken out of it.
 */
@Injectable()
export class CampaignsPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id }: Person): Record<string, Rows> {
    return {
      campaigns: campaigns(em, id),
      emailTemplates: templates(em, id),
      receivedMails: receivedMails(em, id),
      mailEvents: mailEvents(em, id),
    };
  }

  /** Addresses and programs by which the person opened mails; the deliveries themselves lose the person with the row. */
  async erase({ id }: Person): Promise<'done'> {
    const em = this.em.fork();
    await query<Tables>(em)
      .deleteFrom('campaign_events')
      .where('delivery_id', 'in', (of) => of.selectFrom('deliveries').select('id').where('user_id', '=', id))
      .execute();
    return 'done';
  }
}

const campaigns = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('campaigns')
      .select([
        'id',
        'zone_id as zoneId',
        'name',
        'subject',
        'html_content as htmlContent',
        'text_content as textContent',
      ])
      .select(['status', 'recipient_count as recipientCount', 'created_at as createdAt', 'sent_at as sentAt'])
      .where('sent_by_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

const templates = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('email_templates')
      .select(['id', 'name', 'subject', 'html_content as htmlContent', 'created_at as createdAt'])
      .where('owner_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

const receivedMails = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('deliveries as d')
      .innerJoin('campaigns as c', 'c.id', 'd.campaign_id')
      .innerJoin('zones as z', 'z.id', 'c.zone_id')
      .select(['d.id as id', 'z.name as zoneName', 'c.subject as subject', 'd.state as state', 'd.sent_at as sentAt'])
      .select(['d.opened_at as openedAt', 'd.clicked_at as clickedAt'])
      .where('d.user_id', '=', userId)
      .where('d.id', '>', last?.id ?? 0)
      .orderBy('d.id')
      .limit(limit)
      .execute(),
  );

const mailEvents = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('campaign_events as e')
      .innerJoin('deliveries as d', 'd.id', 'e.delivery_id')
      .select(['e.id as id', 'e.delivery_id as mailId', 'e.type as type', 'e.verdict as verdict'])
      .select(['e.ip_address as ipAddress', 'e.user_agent as userAgent', 'e.created_at as createdAt'])
      .where('d.user_id', '=', userId)
      .where('e.id', '>', last?.id ?? 0)
      .orderBy('e.id')
      .limit(limit)
      .execute(),
  );
