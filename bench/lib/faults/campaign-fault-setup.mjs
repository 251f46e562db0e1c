import { CountingSmtpServer } from '../counting-smtp-server.mjs';
import { openDatabase } from '../database.mjs';
import { addMembers } from '../email-helpers.mjs';
import { Client, PASSWORD, registerUser } from '../product.mjs';

const MAIL_ENV = { MAIL_FROM: 'Zonary <news@fault.example>', COMPANY_ADDRESS: 'Fault Street 1, 34000 Istanbul' };

/** A product whose worker sends to a counting SMTP server, with an owner without an email limit. */
export class CampaignFaultSetup {
  server = new CountingSmtpServer();
  #zoneCount = 0;

  static async open(environment) {
    const setup = new CampaignFaultSetup();
    const dataDir = environment.createFolder();
    await setup.server.start();
    environment.onClose(() => setup.server.stop());
    // The account's code is read from the mailbox, which exists only without a mail server.
    const mailboxProduct = await environment.startProduct({ DATA_DIR: dataDir });
    await registerUser(mailboxProduct.url, 'fault_owner');
    await mailboxProduct.stop();
    setup.product = await environment.startProduct({ DATA_DIR: dataDir, SMTP_URL: setup.server.url, ...MAIL_ENV });
    setup.owner = new Client(setup.product.url);
    await setup.owner.call('POST', '/api/login', { email: 'fault_owner@example.com', password: PASSWORD });
    setup.database = await openDatabase(dataDir);
    environment.onClose(() => setup.database.end());
    await setup.database.query(`insert into usage (owner_id, metric, period, allowed)
      select id, 'mails', to_char(now() at time zone 'utc', 'YYYY-MM'), null from users where username = 'fault_owner'
      on conflict (owner_id, metric, period) do update set allowed = null`);
    return setup;
  }

  /**
   * Creates a zone.
   * @param members number of members
   * @returns its id
   */
  async createZone(members) {
    const name = `fault${++this.#zoneCount}`;
    await this.database.query(`update usage set allowed = null`);
    const zone = await (await this.owner.call('POST', '/api/zones', { name, type: 'private' })).json();
    await addMembers(this.database, zone.id, name, members);
    return zone.id;
  }

  /**
   * Creates a campaign to all members of a zone.
   * @returns its id
   */
  async createCampaign(zoneId) {
    const body = { subject: 'News', htmlContent: '<p>News for {{first_name|you}}</p>' };
    const { id } = await (await this.owner.call('POST', `/api/zones/${zoneId}/campaigns`, body)).json();
    return id;
  }

  /**
   * Creates and sends a campaign to all members of a zone.
   * @returns its id
   */
  async sendCampaign(zoneId) {
    const id = await this.createCampaign(zoneId);
    await this.owner.call('POST', `/api/campaigns/${id}/send`);
    return id;
  }

  /** Lists the recipients of a campaign; with `state`, only those whose delivery has it. */
  async listRecipients(campaignId, state = null) {
    const { rows } = await this.database.query(
      `select u.email from deliveries d join users u on u.id = d.user_id
       where d.campaign_id = $1 and ($2::text is null or d.state = $2)`,
      [campaignId, state],
    );
    return rows.map(({ email }) => email);
  }

  /**
   * Counts recipients without an email, and with duplicates. The same email with the same Message-ID may arrive again
   * for each connection of a killed worker, because it was in flight; mail programs show it once.
   * @param allowedRepeats number of such duplicates that are not counted
   */
  async countLostAndDuplicated(campaignId, allowedRepeats = 0) {
    const addresses = await this.listRecipients(campaignId);
    const messageIds = addresses.map((address) => this.server.messageIdsOf(address));
    const repeated = messageIds.filter((list) => list.length > 1 && new Set(list).size === 1).length;
    const duplicated =
      messageIds.filter((list) => new Set(list).size > 1).length + Math.max(0, repeated - allowedRepeats);
    return { lost: messageIds.filter((list) => list.length === 0).length, duplicated, repeated };
  }
}
