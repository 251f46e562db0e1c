import type { Actor } from '../../support/people/actors.js';
import type { World } from '../../support/world.js';

/** Removes the zone limit of an owner. */
export async function allowUnlimitedZones(world: World, { id }: Actor): Promise<void> {
  await world.testApp.em().execute(
    `insert into usage (owner_id, metric, period, allowed) values (?, 'zones', '', null)
     on conflict (owner_id, metric, period) do update set allowed = null`,
    [id],
  );
}
