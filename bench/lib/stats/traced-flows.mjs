import { Client } from '../product.mjs';

/** Typical flows through the product; each runs once to warm up and once to be recorded. */
export class TracedFlows {
  #created = 0;

  /** @param {import('./traced-app.mjs').TracedApp} app */
  constructor(app) {
    this.app = app;
  }

  /** Creates a signed-in user. */
  async createUser(name) {
    const [row] = await this.app.query(
      `insert into users (email, first_name, last_name, username, password, email_verified, language, created_at, updated_at)
       values (? || '@trace.example', 'P', 'Q', ?, 'none', true, 'en', now(), now()) returning id, email`,
      [name, name],
    );
    const sessions = await this.app.getService('modules/auth/sessions/session.service.js', 'SessionService');
    const { MikroORM } = await import('@mikro-orm/postgresql');
    const em = this.app.nestApp.get(MikroORM).em.fork();
    const token = await sessions.createSession(em, Number(row.id), false, { ipAddress: null, userAgent: null }, false);
    return { id: Number(row.id), email: row.email, client: new Client(this.app.url, `zonary_session=${token}`) };
  }

  /** Creates a zone of a new owner without an email limit. */
  async createZone() {
    this.owner = await this.createUser('trace_owner');
    const body = { name: 'Trace', type: 'public' };
    this.zone = await (await this.owner.client.call('POST', '/api/zones', body)).json();
    await this.app.query(
      `insert into usage (owner_id, metric, period, allowed)
       values (?, 'mails', to_char(now() at time zone 'utc', 'YYYY-MM'), null)
       on conflict (owner_id, metric, period) do update set allowed = null`,
      [this.owner.id],
    );
  }

  /** Uploads a file as the page does. */
  async uploadFile() {
    const bytes = Buffer.from('A short text.');
    const toBase64 = (text) => Buffer.from(String(text)).toString('base64');
    const name = `trace ${++this.#created}.txt`;
    const tus = { 'tus-resumable': '1.0.0' };
    const created = await this.owner.client.call('POST', '/api/uploads', undefined, {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${toBase64(name)},zoneId ${toBase64(this.zone.id)}`,
    });
    await this.owner.client.call('PATCH', created.headers.get('location'), bytes, {
      ...tus,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
    });
  }

  /** Lets a signed-in user join by the public link. */
  async joinZone() {
    const { email, client } = this.joiningUser;
    const path = `/api/public-zones/${this.zone.publicLink}/join`;
    await client.call('POST', path, { email, emailConsent: true });
    await this.app.runDueJobs();
  }

  /** Sends a campaign to one member, from the request to the mail server's response. */
  async sendCampaign() {
    await this.owner.client.call('POST', `/api/campaigns/${this.campaign}/send`);
    await this.app.runDueJobs();
  }

  /** Returns the module files that each flow executes. */
  async traceFlows() {
    await this.createZone();
    const filesByFlow = {};
    for (const [flow, prepare, run] of [
      ['an upload', async () => undefined, () => this.uploadFile()],
      [
        'a join',
        async () => (this.joiningUser = await this.createUser(`trace_${++this.#created}`)),
        () => this.joinZone(),
      ],
      ['a delivery', () => this.#createCampaign(), () => this.sendCampaign()],
    ]) {
      await prepare();
      await run();
      await prepare();
      filesByFlow[flow] = await this.app.traceModuleFiles(run);
    }
    return filesByFlow;
  }

  async #createCampaign() {
    const body = { subject: 'News', htmlContent: '<p>News for {{first_name|you}}</p>' };
    const path = `/api/zones/${this.zone.id}/campaigns`;
    this.campaign = (await (await this.owner.client.call('POST', path, body)).json()).id;
  }
}
