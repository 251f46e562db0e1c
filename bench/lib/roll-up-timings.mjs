import { openInside } from './app-context.mjs';
import { report, timed } from './report.mjs';

/** Limit of the roll-up job in milliseconds, in a minute with no or few events. */
const LIMIT = 30;
/** Limit of the recount that runs every ten minutes, in milliseconds. */
const RECOUNT_LIMIT = 1000;
const [ROUNDS, WARM] = [11, 2];

/**
 * Recorded exactly at the roll-up's position: later events would be left to the next minute, earlier ones would be
 * late.
 */
const few = `
  insert into activity (created_at, type, owner_id, zone_id, user_id, file_id, params)
  select (select through from roll_ups where name = 'activity'), 'file.viewed', z.owner_id, z.id, null, null, '{"zoneName": "Zone", "fileName": "file.pdf"}'
  from (select id, owner_id from zones order by id limit 50) z`;

/** Measures the job that runs each minute. Only for a product without a worker: two would wait for each other. */
export async function measureRollUps(dataDir, pool) {
  const inside = await openInside(dataDir);
  try {
    const rollUps = await inside.service('modules/insights/roll-up/roll-up.service.js', 'RollUpService');
    const middle = async (before) => {
      const times = [];
      for (let round = -WARM; round < ROUNDS; round++) {
        await before();
        const time = await timed(() => rollUps.runRollUp());
        if (round >= 0) times.push(time);
      }
      return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    };
    await rollUps.runRollUp();
    report('adding up a minute in which nothing happened', await middle(() => undefined), LIMIT, 'ms');
    report('adding up a minute with 50 records in 50 zones', await middle(() => pool.query(few)), LIMIT, 'ms');
    const recount = () => pool.query(`update roll_ups set through = 'epoch' where name = 'recount'`);
    report('counting the last two days anew (every ten minutes)', await middle(recount), RECOUNT_LIMIT, 'ms');
  } finally {
    await inside.close();
  }
}
