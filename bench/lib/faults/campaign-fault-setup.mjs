import { CountingMailServer } from '../counting-smtp-server.mjs';
import { databaseOf } from '../database.mjs';
import { addMembers } from '../email-helpers.mjs';
import { Client, PASSWORD, register } from '../product.mjs';

const env = { MAIL_FROM: 'Zonary <news@fault.example>', COMPANY_ADDRESS: 'Fault Street 1, 34000 Istanbul' };

/** A product whose worker sends to a counting mail server, with an owner without an email limit. */
export class FaultCampaigns {
  server = new CountingMailServer();
  #zones = 0;

  static async open(room) {
    const made = new FaultCampaigns();
    const dataDir = room.folder();
    await made.server.open();
    room.onClose(() => made.server.away());
    // The account's code is read from the mailbox, which exists only without a mail server.
    const first = await room.product({ DATA_DIR: dataDir });
    await register(first.url, 'fault_owner');
    await first.stop();
    made.product = await room.product({ DATA_DIR: dataDir, SMTP_URL: made.server.url, ...env });
    made.owner = new Client(made.product.url);
    await made.owner.call('POST', '/api/login', { email: 'fault_owner@example.com', password: PASSWORD });
    made.db = await databaseOf(dataDir);
    room.onClose(() => made.db.end());
    await made.db.query(`insert into usage (owner_id, metric, period, allowed)
      select id, 'mails', to_char(now() at time zone 'utc', 'YYYY-MM'), null from users where username = 'fault_owner'
      on conflict (owner_id, metric, period) do update set allowed = null`);
    return made;
  }

  /** Creates a zone with that many members. */
  async zone(members) {
    const name = `fault${++this.#zones}`;
    await this.db.query(`update usage set allowed = null`);
    const zone = await (await this.owner.call('POST', '/api/zones', { name, type: 'private' })).json();
    await addMembers(this.db, zone.id, name, members);
    return zone.id;
  }

  /**
   * Creates a campaign to everybody in a zone.
   * @returns its id
   */
  async write(zoneId) {
    const body = { subject: 'News', htmlContent: '<p>News for {{first_name|you}}</p>' };
    const { id } = await (await this.owner.call('POST', `/api/zones/${zoneId}/campaigns`, body)).json();
    return id;
  }

  /**
   * Starts sending a campaign to everybody in a zone.
   * @returns its id
   */
  async send(zoneId) {
    const id = await this.write(zoneId);
    await this.owner.call('POST', `/api/campaigns/${id}/send`);
    return id;
  }

  /** Recipients of a campaign; with `state`, only those whose delivery has it. */
  async recipients(campaignId, state = null) {
    const { rows } = await this.db.query(
      `select u.email from deliveries d join users u on u.id = d.user_id
       where d.campaign_id = $1 and ($2::text is null or d.state = $2)`,
      [campaignId, state],
    );
    return rows.map(({ email }) => email);
  }

  /**
   * Counts recipients without an email and with duplicates. The same email with the same Message-ID may arrive again
   * for each connection of a killed worker, because it was in flight; mail programs show it once.
   * @param allowed such duplicates that are not counted
   */
  async outcome(campaignId, allowed = 0) {
    const all = await this.recipients(campaignId);
    const ids = all.map((address) => this.server.to(address));
    const repeated = ids.filter((list) => list.length > 1 && new Set(list).size === 1).length;
    const doubled = ids.filter((list) => new Set(list).size > 1).length + Math.max(0, repeated - allowed);
    return { lost: ids.filter((list) => list.length === 0).length, doubled, repeated };
  }
}
