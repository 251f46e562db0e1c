import { openAppContext } from './app-context.mjs';
import { report, measureMs } from './report.mjs';

/** Limit of the roll-up job in a minute with no or few records. */
const ROLL_UP_LIMIT_MS = 30;
/** Limit of the recount that runs every ten minutes. */
const RECOUNT_LIMIT_MS = 1000;
const [ROUNDS, WARM_UP_ROUNDS] = [11, 2];

/**
 * Recorded exactly at the roll-up's position: later records would be left to the next minute, earlier ones would be
 * late.
 */
const insertFewRecords = `
  insert into activity (created_at, type, owner_id, zone_id, user_id, file_id, params)
  select (select through from roll_ups where name = 'activity'), 'file.viewed', z.owner_id, z.id, null, null, '{"zoneName": "Zone", "fileName": "file.pdf"}'
  from (select id, owner_id from zones order by id limit 50) z`;

/** Measures the job that runs each minute. The product must have no worker, because two roll-ups wait for each other. */
export async function measureRollUps(dataDir, pool) {
  const appContext = await openAppContext(dataDir);
  try {
    const rollUps = await appContext.getService('modules/insights/roll-up/roll-up.service.js', 'RollUpService');
    const medianOf = async (prepare) => {
      const durations = [];
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        await prepare();
        const duration = await measureMs(() => rollUps.runRollUp());
        if (round >= 0) durations.push(duration);
      }
      return durations.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    };
    await rollUps.runRollUp();
    report('roll-up of a minute without records, median', await medianOf(() => undefined), ROLL_UP_LIMIT_MS, 'ms');
    report(
      'roll-up of a minute with 50 records in 50 zones, median',
      await medianOf(() => pool.query(insertFewRecords)),
      ROLL_UP_LIMIT_MS,
      'ms',
    );
    const recount = () => pool.query(`update roll_ups set through = 'epoch' where name = 'recount'`);
    report('recount of the last two days (every ten minutes), median', await medianOf(recount), RECOUNT_LIMIT_MS, 'ms');
  } finally {
    await appContext.close();
  }
}
