import { MikroORM } from '@mikro-orm/postgresql';
import { Migration249WronglySilenced } from '../../../migrations/249-wrongly-silenced.js';
import { Migration279StandardJobNames } from '../../../migrations/279-standard-job-names.js';
import { SuppressionRepository } from '../../../src/modules/zones/leaving/suppression.repository.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  type Sender,
} from './campaign-helpers.js';

const SENDER_REJECTION = {
  code: 554,
  when: 'recipient',
  text: '5.7.1 Sender address rejected: not authorised',
} as const;
const RECIPIENT_REJECTION = { code: 550, when: 'recipient', text: '5.1.1 User unknown' } as const;

describeInProcess('Repair of suppressions from before bounce causes were stored', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink);
  });
  beforeEach(async () => {
    sender = await createSender(world);
    sink.decideReply = () => 'take';
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  async function send(): Promise<void> {
    const id = await createDraft(sender);
    await sender.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    await world.testApp.drain();
  }
  /**
   * Runs the upgrade's migrations: one enqueues the job, a later one renames it.
   * @returns the number of enqueued jobs
   */
  async function upgrade(): Promise<number> {
    const orm = world.testApp.app.get(MikroORM);
    const em = world.testApp.em();
    for (const Migration of [Migration249WronglySilenced, Migration279StandardJobNames]) {
      const migration = new Migration(orm.em.getDriver() as never, orm.config);
      migration.up();
      for (const statement of migration.getQueries()) await em.execute(statement as string);
    }
    const [row] = await em.execute<{ count: number }[]>(
      `select count(*)::int as count from jobs where name = 'campaigns.lift-wrong-suppressions'`,
    );
    await world.testApp.drain();
    return row!.count;
  }
  const listAuditEntries = () =>
    world.testApp
      .em()
      .execute(`select actor_id, params from audit_log where type = 'suppression.many-lifted' and subject_id = ?`, [
        sender.owner.id,
      ]);

  it('lifts once those caused only by sender-related rejections', async () => {
    const emails = await insertMembers(world, sender.zone, 14);
    const [wronglySuppressed, missingMailbox, mixed, unexplained, complained, unknown, late] = emails as [
      string,
      ...string[],
    ];
    const suppressions = world.testApp.app.get(SuppressionRepository, { strict: false });
    const em = world.testApp.em();
    for (let times = 0; times < 3; times++) {
      const ofSender = [wronglySuppressed, complained, ...(times < 2 ? [mixed] : [])];
      const ofRecipient = [missingMailbox, unknown, ...(times < 2 ? [] : [mixed])];
      sink.decideReply = (to) =>
        ofSender.includes(to) ? SENDER_REJECTION : ofRecipient.includes(to) ? RECIPIENT_REJECTION : 'take';
      await send();
    }
    // A bounce without a reason, as it was classified at that time.
    await em.execute(
      `update deliveries set reason = 'Bounced: ' where user_id = (select id from users where email = ?)`,
      [unknown!],
    );
    for (const email of [wronglySuppressed, mixed, unexplained, late]) {
      await suppressions.addSuppression(em, sender.owner.id, email!, 'failed');
    }
    await suppressions.addSuppression(em, sender.owner.id, complained!, 'complaint');
    const findSuppressed = () => suppressions.findSuppressed(world.testApp.em(), sender.owner.id, emails);
    expect((await findSuppressed()).size).toBe(7);

    expect(await upgrade()).toBe(1);
    expect([...(await findSuppressed())].sort()).toEqual([missingMailbox, unexplained, complained, late].sort());
    expect(await listAuditEntries()).toEqual([{ actor_id: null, params: { lifted: 3, why: 'sender-refused' } }]);

    expect(await upgrade()).toBe(1);
    expect((await findSuppressed()).size).toBe(4);
    expect(await listAuditEntries()).toHaveLength(1);
    // Failures before the suppression was lifted no longer count.
    sink.decideReply = (to) => (to === unknown ? RECIPIENT_REJECTION : 'take');
    for (let times = 0; times < 2; times++) await send();
    expect((await findSuppressed()).has(unknown!)).toBe(false);
  });

  it('leaves no job when there were none', async () => {
    await world.testApp.em().execute(`delete from suppressions where reason = 'failed'`);
    expect(await upgrade()).toBe(0);
  });
});
