import { CampaignFaultSetup } from '../lib/faults/campaign-fault-setup.mjs';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';

const OTHERS = 3;
const MEMBERS = 50;
/** A job searches for due campaigns every minute. */
const LIMIT_SECONDS = 100;

/** Four scheduled campaigns are due, their own jobs were lost, and starting the first of them always fails. */
export default {
  name: 'the first of four campaigns fails each time',
  previousBehaviour: 'all campaigns behind it waited forever',
  async run(environment) {
    const setup = await CampaignFaultSetup.open(environment);
    const ids = [];
    for (let index = 0; index <= OTHERS; index++) ids.push(await setup.createCampaign(await setup.createZone(MEMBERS)));
    const [failingId, ...otherIds] = ids;
    await setup.database.query(`
      create function fault_throw() returns trigger language plpgsql as $$
        begin
          if old.id = ${Number(failingId)} then raise exception 'This campaign fails each time.'; end if;
          return new;
        end $$`);
    await setup.database.query(
      `update campaigns set status = 'scheduled', scheduled_at = now(), time_zone = 'UTC' where id = any($1::bigint[])`,
      [ids],
    );
    await setup.database.query(
      'create trigger fault_throw before update on campaigns for each row execute function fault_throw()',
    );
    const result = { runs: 1, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    const isSent = async (id) => (await setup.listRecipients(id, 'delivered')).length === MEMBERS;
    const seconds = await secondsUntil(
      async () => (await Promise.all(otherIds.map(isSent))).every(Boolean),
      LIMIT_SECONDS,
    );
    if (seconds === null) result.stuck++;
    result.seconds = seconds ?? LIMIT_SECONDS;
    for (const id of otherIds) {
      const { lost, duplicated } = await setup.countLostAndDuplicated(id);
      result.lost += lost;
      result.duplicated += duplicated;
    }
    // The failing one must not be dropped, because it is retried every minute.
    const { rows } = await setup.database.query('select status from campaigns where id = $1', [failingId]);
    if (rows[0].status !== 'scheduled') result.lost++;
    return result;
  },
};
