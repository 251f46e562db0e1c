import type { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { inTransaction } from '../../platform/database/transaction.js';
import { addMilliseconds, Clock, DAY, HOUR, MINUTE } from '../../platform/clock/clock.js';
import { ActivityRepository } from '../../modules/activity/activity.repository.js';
import type { User } from '../../modules/auth/entities/user.entity.js';
import { DeliveryRepository } from '../../modules/campaigns/engine/delivery.repository.js';
import { CampaignRendererService } from '../../modules/campaigns/rendering/campaign-renderer.service.js';
import { CampaignService } from '../../modules/campaigns/drafts/campaign.service.js';
import { toMonth } from '../../modules/plans/plan.policy.js';
import { UsageService } from '../../modules/plans/usage.service.js';
import type { ZoneDto } from '../../modules/zones/dto/zone.dto.js';

/** How many days ago the demo data begins; it fills the last 30 days. */
export const DEMO_DAYS = 29;
/** How many days ago the demo campaign was sent. */
const CAMPAIGN_SENT_DAYS_AGO = 9;

/** Creates data in the past by shifting the clock that services use. */
export class DemoClock {
  constructor(private readonly clock: Clock) {}

  /** Runs `work` as if it were that many days and hours ago. */
  async runInPast<T>(days: number, hours: number, work: () => Promise<T>): Promise<T> {
    const { clock } = this;
    const now = clock.now.bind(clock);
    clock.now = () => addMilliseconds(now(), -days * DAY - hours * HOUR);
    try {
      return await work();
    } finally {
      clock.now = now;
    }
  }
}

/** Creates a month of activity in a demo zone: file views and downloads, and the results of a campaign. */
export class DemoActivity {
  constructor(
    private readonly app: INestApplicationContext,
    private readonly em: EntityManager,
    private readonly time: DemoClock,
  ) {}

  /** Creates views and downloads by the members of each day, slightly more each week. */
  async createOpenings(
    zone: ZoneDto,
    ownerId: number,
    members: readonly { user: User; joined: number }[],
  ): Promise<void> {
    const files = await this.em.execute<{ id: string; name: string }[]>(
      'select id, original_name as name from files where zone_id = ? and trashed_at is null order by id',
      [zone.id],
    );
    const activity = this.app.get(ActivityRepository);
    for (let day = DEMO_DAYS; day >= 0; day--) {
      const activeMembers = members.filter(({ joined }) => joined > day);
      const activeCount = Math.min(
        activeMembers.length,
        2 + ((DEMO_DAYS - day) % 4) + Math.floor((DEMO_DAYS - day) / 7),
      );
      for (let n = 0; n < activeCount; n++) {
        const { user } = activeMembers[(day * 5 + n * 3) % activeMembers.length]!;
        const file = files[(day * 2 + n * 7) % files.length]!;
        const kind = (day + n) % 4 === 0 ? 'download' : 'view';
        const type = kind === 'view' ? 'file.viewed' : 'file.downloaded';
        const subject = { ownerId, zoneId: zone.id, userId: user.id, fileId: Number(file.id) };
        const params = { zoneName: zone.name, fileName: file.name };
        const opening = {
          fileId: subject.fileId,
          kind,
          viewerKey: `u:${user.id}`,
          entry: { type, ...subject, params },
        } as const;
        await this.time.runInPast(day, 1 + n, () => activity.countOpenings([opening]));
      }
    }
  }

  /**
   * Creates a sent campaign, opened by two thirds and clicked by one third of the recipients; no email leaves this
   * machine.
   */
  async createSentCampaign(
    zone: ZoneDto,
    ownerId: number,
    content: { subject: string; htmlContent: string },
  ): Promise<void> {
    const now = this.app.get(Clock).now();
    const [startedAt, endedAt] = [
      addMilliseconds(now, -CAMPAIGN_SENT_DAYS_AGO * DAY),
      addMilliseconds(now, -CAMPAIGN_SENT_DAYS_AGO * DAY + MINUTE),
    ];
    const owned = { id: zone.id, ownerId };
    await this.time.runInPast(CAMPAIGN_SENT_DAYS_AGO, 1, () =>
      this.app.get(CampaignService).create(owned, content, this.em),
    );
    await inTransaction(this.em, async (em) => {
      const [{ id } = { id: 0 }] = await em.execute<{ id: number }[]>(
        'select id::int as id from campaigns where zone_id = ? order by id desc limit 1',
        [zone.id],
      );
      const links = await this.app.get(CampaignRendererService).listTrackedLinks(em, id);
      const count = await this.app
        .get(DeliveryRepository)
        .insertDeliveries(em, { id, zoneId: zone.id, targetAudience: 'all' }, []);
      await em.execute(
        `update deliveries d set state = 'delivered', attempts = 1, run_at = ?, sent_at = ?,
           opened_at = case when n.position % 3 < 2 then ?::timestamptz + n.position * interval '47 minutes' end,
           clicked_at = case when n.position % 3 = 0 then ?::timestamptz + n.position * interval '49 minutes' end
         from (select id, row_number() over (order by id) as position from deliveries where campaign_id = ?) n
         where d.id = n.id`,
        [startedAt, endedAt, endedAt, endedAt, id],
      );
      await em.execute(
        `insert into campaign_events (campaign_id, delivery_id, type, link, verdict, created_at)
         select campaign_id, id, 'open', null, 'human', opened_at from deliveries where campaign_id = ? and opened_at is not null
         union all
         select campaign_id, id, 'click', 0, 'human', clicked_at from deliveries where campaign_id = ? and clicked_at is not null`,
        [id, id],
      );
      await em.execute(
        `update campaigns c set status = 'sent', links = ?::jsonb, period = ?, recipient_count = ?, delivered_count = ?,
           started_at = ?, sent_at = ?, updated_at = ?,
           open_count = (select count(*) from deliveries where campaign_id = c.id and opened_at is not null),
           click_count = (select count(*) from deliveries where campaign_id = c.id and clicked_at is not null)
         where c.id = ?`,
        [JSON.stringify(links), toMonth(startedAt), count, count, startedAt, endedAt, endedAt, id],
      );
      await this.app.get(UsageService).addUsage(em, ownerId, 'mails', count, toMonth(startedAt));
    });
  }
}
