import { FaultCampaigns } from '../lib/faults/campaign-fault-setup.mjs';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';

const OTHERS = 3;
const MEMBERS = 50;
/** In seconds; a job checks for them every minute. */
const LIMIT = 100;

/** Scheduled campaigns are due whose own jobs were lost, and starting the first of them always throws. */
export default {
  name: 'the first of four campaigns throws each time',
  before: 'all behind it waited for ever',
  async run(room) {
    const world = await FaultCampaigns.open(room);
    const ids = [];
    for (let at = 0; at <= OTHERS; at++) ids.push(await world.write(await world.zone(MEMBERS)));
    const [broken, ...others] = ids;
    await world.db.query(`
      create function fault_throw() returns trigger language plpgsql as $$
        begin
          if old.id = ${Number(broken)} then raise exception 'It throws each time.'; end if;
          return new;
        end $$`);
    await world.db.query(
      `update campaigns set status = 'scheduled', scheduled_at = now(), time_zone = 'UTC' where id = any($1::bigint[])`,
      [ids],
    );
    await world.db.query(
      'create trigger fault_throw before update on campaigns for each row execute function fault_throw()',
    );
    const result = { times: 1, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    const isSent = async (id) => (await world.recipients(id, 'delivered')).length === MEMBERS;
    const seconds = await secondsUntil(async () => (await Promise.all(others.map(isSent))).every(Boolean), LIMIT);
    if (seconds === null) result.stuck++;
    result.seconds = seconds ?? LIMIT;
    for (const id of others) {
      const { lost, doubled } = await world.outcome(id);
      result.lost += lost;
      result.doubled += doubled;
    }
    // The failing one isn't dropped either: it is retried every minute.
    const { rows } = await world.db.query('select status from campaigns where id = $1', [broken]);
    if (rows[0].status !== 'scheduled') result.lost++;
    return result;
  },
};
