const CHUNK_SIZE = 500;

/**
 * The baseline for memberships: writes the necessary rows without an application, in as few statements as possible.
 * Counter rows are updated last and in the product's order, because they stay locked until the commit.
 */
export class BaselineMembers {
  clients;

  constructor(clients) {
    this.clients = clients;
  }

  static async open({ Client }, connection, connections) {
    const clients = Array.from({ length: connections }, () => new Client(connection));
    await Promise.all(clients.map((client) => client.connect()));
    return new BaselineMembers(clients);
  }

  async close() {
    await Promise.all(this.clients.map((client) => client.end()));
  }

  /** Adds one membership with its consent, activity record and counters, on one of the connections. */
  async addMember(ownerId, zoneId, { id, email }, connectionIndex) {
    const client = this.clients[connectionIndex];
    await client.query('begin');
    await client.query(
      `insert into zone_members (zone_id, user_id, role, join_method, email, name_key, search_key, created_at)
       values ($1, $2, 'member', 'public_link', $3, 'p q', 'p q', now())`,
      [zoneId, id, email],
    );
    await client.query(
      `insert into email_consents (zone_id, user_id, consented_at, consent_method, consent_text)
       values ($1, $2, now(), 'public_link', 'x')`,
      [zoneId, id],
    );
    await client.query(
      `insert into activity (type, owner_id, zone_id, user_id, params, created_at)
       values ('member.joined', $1, $2, $3, '{}', now())`,
      [ownerId, zoneId, id],
    );
    await client.query(`insert into audience (owner_id, email_key, user_id, zones) values ($1, $2, $3, 1)`, [
      ownerId,
      email,
      id,
    ]);
    await this.#updateCounters(client, ownerId, zoneId, 1);
    await client.query('commit');
  }

  /** Adds many memberships, including the users, in chunks of the same size as the product's. */
  async addMembers(ownerId, zoneId, emails) {
    const [client] = this.clients;
    for (let start = 0; start < emails.length; start += CHUNK_SIZE) {
      const chunk = emails.slice(start, start + CHUNK_SIZE);
      await client.query('begin');
      await client.query(
        `with people as (
           insert into users (email, first_name, last_name, language, created_at, updated_at)
           select email, 'Şule', 'Öz', 'en', now(), now() from unnest($1::text[]) email returning id, email
         ), members as (
           insert into zone_members (zone_id, user_id, role, join_method, email, name_key, search_key, created_at)
           select $2, id, 'member', 'import', email, 'sule oz', 'sule oz ' || email, now() from people
         ), consents as (
           insert into email_consents (zone_id, user_id, consented_at, consent_method, consent_text)
           select $2, id, now(), 'import', 'x' from people
         ), record as (
           insert into activity (type, owner_id, zone_id, user_id, params, created_at)
           select 'member.joined', $3, $2, id, '{}', now() from people
         )
         insert into audience (owner_id, email_key, user_id, zones) select $3, email, id, 1 from people`,
        [chunk, zoneId, ownerId],
      );
      await this.#updateCounters(client, ownerId, zoneId, chunk.length);
      await client.query('commit');
    }
  }

  /** Reads the first page of a zone's members, with the users. */
  readFirstPage(zoneId, sort, order, limit) {
    const column = { joined: 'created_at', email: 'email', name: 'name_key' }[sort];
    return this.clients[0].query(
      `select m.*, u.email, u.first_name, u.last_name, u.username, u.profile_image_url from (
         select * from zone_members where zone_id = $1 and role <> 'owner'
         order by ${column} ${order}, id ${order} limit ${limit}
       ) m join users u on u.id = m.user_id order by m.${column} ${order}, m.id ${order}`,
      [zoneId],
    );
  }

  async #updateCounters(client, ownerId, zoneId, amount) {
    await client.query('update zone_stats set members = members + $2 where zone_id = $1', [zoneId, amount]);
    await client.query(
      `update usage set used = used + $2 where owner_id = $1 and metric = 'people' and period = ''
       and (allowed is null or used + $2 <= allowed)`,
      [ownerId, amount],
    );
  }
}
