import * as fc from 'fast-check';
import { registerUser, type Actor } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { FilesZone } from '../files-zone.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { commands, TreeRun, type Command } from './tree-run.js';
import { fullOrShort } from '../../../support/full-or-short.js';

/** Number of random sequences; `TREE_RUNS` increases it. */
const RUNS = Number(process.env.TREE_RUNS ?? fullOrShort(10, 4));

/** A deep tree with a file and a mirror of it, so that a few steps reach every rule. */
const beginning: Command[] = [
  ...(['a', 'b', 'a', 'b'] as const).map((name): Command => ({ do: 'folder', zone: 0, at: 0, name })),
  { do: 'upload', zone: 0, at: 0, name: 'a', size: 7 },
  { do: 'mirror', folder: 1, name: 'b' },
];

describeInProcess('Folder tree', () => {
  let world: World;
  let owner: Actor;
  let members: Actor[];

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    await allowUnlimitedZones(world, owner);
    members = [await registerUser(world), await registerUser(world)];
  });
  afterAll(() => world.close());

  it(
    'matches a simple model under random operations',
    async () => {
      const tally = new Map<string, number>();
      let steps = 0;
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(commands, async (sequence: Command[]) => {
          const run = await TreeRun.open(world, owner, members);
          try {
            for (const command of [...beginning, ...sequence]) await run.step(command);
          } finally {
            await run.close();
          }
          runs += 1;
          steps += beginning.length + sequence.length;
          for (const [what, count] of run.outcomeCounts) tally.set(what, (tally.get(what) ?? 0) + count);
        }),
        { numRuns: RUNS, interruptAfterTimeLimit: 600_000 },
      );
      const outcomes = [...tally].sort().map(([what, count]) => `${what}: ${count}`);
      process.stdout.write(`${runs} runs, ${steps} steps. ${outcomes.join(', ')}\n`);
      expect(runs).toBe(RUNS);
    },
    RUNS * 60_000,
  );

  it('stays a tree with correct counts under 50 concurrent changes', async () => {
    const zone = await FilesZone.open(world);
    const folders = await Promise.all(['a', 'b', 'c', 'd'].map((name) => zone.createFolder(name)));
    const files = await Promise.all(folders.map((folder, n) => zone.uploadFile(`${n}.txt`, folder, 'x'.repeat(n))));
    const { client } = zone.owner;
    const changes = Array.from({ length: 50 }, (_, n) => {
      const [one, other] = [folders[n % 4]!, folders[(n + 1 + (n % 3)) % 4]!];
      const operations = [
        () => client.patch(`/api/folders/${one}/move`).send({ targetFolderId: n % 2 ? other : null }),
        () => zone.post('move', { fileIds: [files[n % 4]!.id], targetFolderId: other }),
        () => client.delete(`/api/folders/${one}`),
        () => client.post(`/api/zones/${zone.zone.id}/folders`).send({ name: 'new', parentId: other }),
        () => client.patch(`/api/folders/${one}`).send({ name: 'same' }),
      ];
      return operations[n % operations.length]!();
    });
    const responses = await Promise.all(changes);
    const serverErrors = responses.filter(({ status }) => status >= 500).map(({ body }) => body);
    expect(serverErrors).toEqual([]);
    const rows = (sql: string) => world.testApp.em().execute(sql, [zone.zone.id]);
    // A folder that can't be reached from the root would be part of a cycle.
    const [state] = await rows(
      `with recursive tree as (
         select id, zone_id, 1 as level, trash_id from folders where zone_id = ? and parent_id is null
         union all
         select f.id, f.zone_id, t.level + 1, f.trash_id from tree t join folders f on f.parent_id = t.id where t.level < 20
       )
       select s.zone_id::int as zone, (select count(*)::int from folders f where f.zone_id = s.zone_id) as folders,
         (select count(*)::int from tree) as reached, (select max(level)::int from tree where trash_id is null) as deepest,
         s.folders = (select count(*) from tree where trash_id is null) as "folderCount",
         s.files = (select count(*) from files x where x.zone_id = s.zone_id and x.trashed_at is null) as "fileCount",
         s.bytes = (select sum(size) from files x where x.zone_id = s.zone_id) as bytes,
         not exists (select 1 from files x join folders f on f.id = x.folder_id
           where x.zone_id = s.zone_id and x.trashed_at is null and f.trashed_at is not null) as "noOrphan"
       from zone_stats s where s.zone_id = (select zone_id from tree limit 1)`,
    );
    expect(state).toMatchObject({ folderCount: true, fileCount: true, bytes: true, noOrphan: true });
    expect(state!.reached).toBe(state!.folders);
    expect(state!.deepest ?? 0).toBeLessThanOrEqual(5);
  });
});
