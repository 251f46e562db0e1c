import pg from 'pg';
import { UnsubscribeLinkService } from '../../../src/modules/zones/leaving/unsubscribe-link.service.js';
import { getPoolUsage } from '../../../src/platform/database/pool/connection-pool.js';
import {
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { waitForInvitation, invite } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';

/** More concurrent requests than their pool partition holds. */
const MANY = 24;

describeInProcess('Held lock on one row', () => {
  let world: World;
  let owner: Actor;
  let member: Actor;
  let other: Actor;
  let zone: TestZone;
  let otherZone: TestZone;
  let holder: pg.Client;
  /** Observes waiting sessions; the lock holder's transaction would see only a snapshot. */
  let watcher: pg.Client;
  beforeAll(async () => {
    world = await World.open();
    [owner, member, other] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    zone = await createZone(owner);
    otherZone = await createZone(other);
    await joinPublicZone(zone, member);
    [holder, watcher] = [1, 2].map(() => new pg.Client(world.testApp.connection as pg.ClientConfig)) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
  });
  afterAll(async () => {
    await Promise.all([holder.end(), watcher.end()]);
    await world.close();
  });

  /**
   * Blocks requests on a locked row and runs something meanwhile.
   * @param blockedCount how many must wait for the row or for a connection first
   */
  async function whileWaiting(
    row: string,
    request: () => Promise<number>,
    blockedCount: number,
    work: () => Promise<unknown>,
  ) {
    await holder.query('begin');
    await holder.query(`select 1 from ${row} for update`);
    let answered = 0;
    const blocked = Array.from({ length: MANY }, () => request().finally(() => answered++));
    try {
      await waitUntilBlocked(blockedCount);
      await work();
      // No blocked request timed out in the meantime.
      expect(answered).toBe(0);
    } finally {
      await holder.query('rollback');
      await Promise.allSettled(blocked);
    }
    // Requests that waited too long got a 503.
    for (const status of await Promise.all(blocked)) expect([200, 503]).toContain(status);
  }

  async function waitUntilBlocked(count: number): Promise<void> {
    for (;;) {
      const { rows } = await watcher.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows[0]!.waiting + getPoolUsage().waiting >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  const signIn = (email: string) => world.createClient().post('/api/login').send({ email, password: PASSWORD });

  it("blocks only the user's sign-in for a user's row, and the process stays ready", async () => {
    const request = async () => (await signIn(member.email)).status;
    await whileWaiting(`users where id = ${member.id}`, request, 7, async () => {
      const ready = await world.createClient().get('/readyz');
      expect([ready.status, ready.body.details.database]).toEqual([200, { status: 'up' }]);
      await signIn(other.email).expect(200);
    });
  });

  it("does not affect unsubscribing from other zones for a zone's row", async () => {
    const token = world.testApp.app.get(UnsubscribeLinkService).createToken({ userId: member.id, zoneId: zone.id });
    await elsewhere(async () => (await world.createClient().post(`/api/unsubscribe/${token}`)).status);
    await elsewhere(async () => (await world.createClient().post(`/api/unsubscribe/${token}/undo`)).status);
  });

  it("does not affect accepting invitations to other zones for a zone's row", async () => {
    await invite(zone, owner, other.email);
    const { token } = await waitForInvitation(world, other.email);
    const accept = { token, email: other.email, emailConsent: true };
    await elsewhere(async () => {
      const { status, body } = await world.createClient().post('/api/accept-invite').send(accept);
      return body.code === 'ALREADY_MEMBER' ? 200 : status;
    });
  });

  const elsewhere = (request: () => Promise<number>) =>
    whileWaiting(`zones where id = ${zone.id}`, request, 17, () =>
      other.client.patch(`/api/zones/${otherZone.id}`).send({ name: 'Free' }).expect(200),
    );
});
