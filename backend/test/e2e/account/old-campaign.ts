import { registerUser, type TestZone } from '../../support/people/actors.js';
import type { World } from '../../support/world.js';

/** An old campaign with deliveries and their events. */
export interface OldCampaign {
  readonly id: number;
  /** Adds a delivery to a new recipient; returns its id. */
  addDelivery(): Promise<number>;
  /** Adds an open (`link` null) or a click. */
  addEvent(mail: number, at: Date, link: number | null, verdict?: string): Promise<unknown>;
}

/** Inserts a campaign that was sent at `sentAt` directly into the database. */
export async function insertOldCampaign(world: World, zone: TestZone, sentAt: Date): Promise<OldCampaign> {
  const query = (sql: string, values: unknown[]): Promise<{ id: number }[]> => world.testApp.em().execute(sql, values);
  const [campaign] = await query(
    `insert into campaigns (zone_id, sent_by_id, name, subject, html_content, status, links, recipient_count, created_at, updated_at)
     select id, owner_id, 'Old', 'Old', '<p>x</p>', 'sent', '["https://x.test/a", "https://x.test/b"]', 0, ?, ?
     from zones where id = ? returning id`,
    [sentAt, sentAt, zone.id],
  );
  const id = Number(campaign!.id);
  return {
    id,
    async addDelivery() {
      const member = await registerUser(world);
      const sql = `insert into deliveries (campaign_id, user_id, state, run_at, sent_at) values (?, ?, 'delivered', ?, ?) returning id`;
      const [row] = await query(sql, [id, member.id, sentAt, sentAt]);
      return Number(row!.id);
    },
    addEvent: (mail, occurredAt, link, verdict = 'human') =>
      query(
        `insert into campaign_events (campaign_id, delivery_id, type, link, verdict, ip_address, created_at)
         values (?, ?, ?, ?, ?, '192.0.2.1', ?)`,
        [id, mail, link === null ? 'open' : 'click', link, verdict, occurredAt],
      ),
  };
}
