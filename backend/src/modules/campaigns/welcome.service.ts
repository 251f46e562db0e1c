import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UsageService } from '../plans/usage.service.js';
import { MembershipPort, type Joined } from '../zones/membership.port.js';
import { Zone } from '../zones/entities/zone.entity.js';
import { deliverCampaign } from './deliver-campaign.job.js';
import { CampaignCompletion } from './engine/campaign-completion.service.js';
import { Campaign, CampaignSchema } from './entities/campaign.entity.js';
import { DeliverySchema } from './entities/delivery.entity.js';
import { ZoneMailSettings, ZoneMailSettingsSchema } from './entities/zone-mail-settings.entity.js';
import { CampaignService } from './campaign.service.js';
import { monthOf } from '../plans/plan.policy.js';
import { isMember, isReachable, wantsMails } from './recipients.js';
import { CampaignMails } from './rendering/campaign-mail.service.js';
import { RecipientService } from './recipient.service.js';
import { welcomeMembers } from './welcome-member.job.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof ZoneMailSettingsSchema;

/**
 * The welcome mail of a zone: one campaign a zone, to which everybody who comes in is added once. It needs consent and
 * counts; without quota it is left out, and the owner sees how often.
 */
@Injectable()
export class WelcomeService implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly port: MembershipPort,
    private readonly jobs: Jobs,
    private readonly usage: UsageService,
    private readonly campaigns: CampaignService,
    private readonly recipients: RecipientService,
    private readonly mails: CampaignMails,
    private readonly completion: CampaignCompletion,
  ) {}

  onModuleInit(): void {
    this.port.register({ joined: (em, event) => this.joined(em, event) });
  }

  /** Adds people to the welcome campaign of a zone. Called again it adds nobody twice. */
  async send(zoneId: number, userIds: readonly number[]): Promise<void> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    if (!zone) return;
    const suppressed = new Set(await this.recipients.suppressedMembers(this.em, { id: zoneId, ownerId: zone.ownerId }));
    const open = userIds.filter((id) => !suppressed.has(id));
    try {
      await inTransaction(this.em.fork(), (em) => this.add(em, zoneId, open));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      await sql`update zone_mail_settings set welcome_skipped = welcome_skipped + ${open.length}
        where zone_id = ${zoneId}`.execute(query<Tables>(this.em.fork()));
    }
  }

  private async joined(em: EntityManager, { zone, userIds }: Joined): Promise<void> {
    const settings = await query<Tables>(em)
      .selectFrom('zone_mail_settings')
      .select('zone_id')
      .where('zone_id', '=', zone.id)
      .where('welcome_enabled', '=', true)
      .executeTakeFirst();
    if (settings) await this.jobs.enqueue(em, welcomeMembers, { zoneId: zone.id, userIds: [...userIds] });
  }

  private async add(em: EntityManager, zoneId: number, userIds: readonly number[]): Promise<void> {
    const known = await em.findOne(Campaign, { zoneId, kind: 'welcome' });
    const settings = await em.findOne(ZoneMailSettings, { zoneId, welcomeEnabled: true });
    if (!known || !settings) return;
    const campaign = await this.campaigns.lock(em, known.id);
    const now = this.clock.now();
    const added = await this.insert(em, campaign, userIds, now);
    if (added === 0) return;
    // What was left to give back belongs to the month before; from here on the present one is charged.
    await this.completion.settle(em, campaign.id);
    const opened = await this.mails.open(em, campaign.id);
    const period = monthOf(now);
    await em.refresh(campaign);
    em.assign(campaign, {
      ...{ status: 'sending', startedAt: campaign.startedAt ?? now, period, updatedAt: campaign.updatedAt },
      ...{ recipientCount: campaign.recipientCount + added, links: [...this.mails.links(opened!)] },
    });
    await em.flush();
    await this.jobs.enqueue(em, deliverCampaign, { campaignId: campaign.id });
    await this.usage.take(em, campaign.sentById, 'mails', added, period);
  }

  private async insert(em: EntityManager, campaign: Campaign, userIds: readonly number[], now: Date): Promise<number> {
    const result = await sql`
      insert into deliveries (campaign_id, user_id, run_at)
      select ${campaign.id}::bigint, m.user_id, ${now}::timestamptz
      from zone_members m join users u on u.id = m.user_id join zones z on z.id = m.zone_id
      where m.zone_id = ${campaign.zoneId} and m.user_id = any(${[...userIds]}::bigint[]) and z.deleted_at is null
        and ${isMember(now)} and ${isReachable} and ${wantsMails}
      order by m.id
      on conflict (campaign_id, user_id) do nothing`.execute(query<Tables>(em));
    return Number(result.numAffectedRows ?? 0n);
  }
}
