import { Client } from '../product.mjs';

/** Typical flows through the product; each runs once to warm up and once to be recorded. */
export class Ways {
  #count = 0;

  /** @param walk the application in this process */
  constructor(walk) {
    this.walk = walk;
  }

  /** A signed-in user. */
  async person(name) {
    const [row] = await this.walk.sql(
      `insert into users (email, first_name, last_name, username, password, email_verified, language, created_at, updated_at)
       values (? || '@walk.example', 'P', 'Q', ?, 'none', true, 'en', now(), now()) returning id, email`,
      [name, name],
    );
    const sessions = await this.walk.service('modules/auth/sessions/session.service.js', 'SessionService');
    const { MikroORM } = await import('@mikro-orm/postgresql');
    const em = this.walk.app.get(MikroORM).em.fork();
    const token = await sessions.createSession(em, Number(row.id), false, { ipAddress: null, userAgent: null });
    return { id: Number(row.id), email: row.email, client: new Client(this.walk.url, `zonary_session=${token}`) };
  }

  /** A zone of a new owner without an email limit. */
  async prepare() {
    this.owner = await this.person('walk_owner');
    const body = { name: 'Walk', type: 'public' };
    this.zone = await (await this.owner.client.call('POST', '/api/zones', body)).json();
    await this.walk.sql(
      `insert into usage (owner_id, metric, period, allowed)
       values (?, 'mails', to_char(now() at time zone 'utc', 'YYYY-MM'), null)
       on conflict (owner_id, metric, period) do update set allowed = null`,
      [this.owner.id],
    );
  }

  /** Uploads a file as the page does. */
  async upload() {
    const bytes = Buffer.from('A short text.');
    const encoded = (text) => Buffer.from(String(text)).toString('base64');
    const name = `walk ${++this.#count}.txt`;
    const tus = { 'tus-resumable': '1.0.0' };
    const created = await this.owner.client.call('POST', '/api/uploads', undefined, {
      ...{ ...tus, 'upload-length': String(bytes.length) },
      'upload-metadata': `filename ${encoded(name)},zoneId ${encoded(this.zone.id)}`,
    });
    await this.owner.client.call('PATCH', created.headers.get('location'), bytes, {
      ...{ ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    });
  }

  /** A signed-in user joins by the public link. */
  async join() {
    const { email, client } = this.joining;
    const path = `/api/public-zones/${this.zone.publicLink}/join`;
    await client.call('POST', path, { email, emailConsent: true });
    await this.walk.drain();
  }

  /** One email of a campaign, from pressing Send to the mail server's response. */
  async deliver() {
    await this.owner.client.call('POST', `/api/campaigns/${this.campaign}/send`);
    await this.walk.drain();
  }

  /** @returns the module files of each flow */
  async crossed() {
    await this.prepare();
    const found = {};
    for (const [way, before, go] of [
      ['an upload', async () => undefined, () => this.upload()],
      ['a join', async () => (this.joining = await this.person(`walk_${++this.#count}`)), () => this.join()],
      ['a delivery', () => this.#write(), () => this.deliver()],
    ]) {
      await before();
      await go();
      await before();
      found[way] = await this.walk.files(go);
    }
    return found;
  }

  async #write() {
    const body = { subject: 'News', htmlContent: '<p>News for {{first_name|you}}</p>' };
    const path = `/api/zones/${this.zone.id}/campaigns`;
    this.campaign = (await (await this.owner.client.call('POST', path, body)).json()).id;
  }
}
