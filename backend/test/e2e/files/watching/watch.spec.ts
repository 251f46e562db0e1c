import { DAY, HOUR } from '../../../../src/platform/clock/clock.js';
import {
  EventStreamsService,
  EventStreamTimings,
} from '../../../../src/platform/http/event-streams/event-streams.service.js';
import { AccessWatchService } from '../../../../src/modules/files/watching/access-watch.service.js';
import { createZone, join, register, type Actor, type TestZone } from '../../../support/people/actors.js';
import { until } from '../../../support/until.js';
import { describeInProcess, World } from '../../../support/world.js';
import { makeToken } from '../../auth/accounts.js';
import { makeFolder, put } from '../upload/files-forms.js';
import { OpenReader } from './open-reader.js';

describeInProcess('somebody who has a file open', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let folder: number;
  let file: number;
  let member: Actor;
  let reader: OpenReader;

  const execute = (sql: string, params: unknown[]) => world.inside.em().execute(sql, params);
  const watch = () => world.inside.app.get(AccessWatchService);
  /** All who are open have been asked about once more since now. */
  const lookedAt = async () => {
    const ticker = watch() as unknown as { isChecking: boolean; checkAccess(): Promise<void> };
    await until('it is not asked just now', () => !ticker.isChecking);
    await ticker.checkAccess();
  };

  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await register(world);
    zone = await createZone(owner);
    folder = await makeFolder(owner.client, zone.id, 'Lessons');
    file = (await put(owner.client, zone.id, 'Course.txt', 'text', `?folderId=${folder}`)).id;
    member = await register(world);
    await join(zone, member);
    reader = await OpenReader.open(world, member, file);
  });
  afterEach(async () => {
    reader.leave();
    await until('nobody is open', () => watch().count === 0);
  });
  afterAll(() => world.close());

  it.each<[string, () => unknown]>([
    ['was removed', () => owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`).expect(204)],
    ['left', () => member.client.post(`/api/zones/${zone.id}/leave`).send({}).expect(200)],
    [
      'had their time in the zone, which is over',
      () =>
        execute('update zone_members set expires_at = ? where user_id = ?', [
          new Date(world.now() - 1).toISOString(),
          member.id,
        ]),
    ],
    ['has the session ended', () => member.client.post('/api/logout').expect(200)],
    [
      'has a session that was not used for too long',
      () =>
        execute('update sessions set expire = ? where user_id = ?', [
          new Date(world.now() - 1).toISOString(),
          member.id,
        ]),
    ],
    [
      'has a session of 90 days',
      () =>
        execute('update sessions set created_at = ? where user_id = ?', [
          new Date(world.now() - 91 * DAY).toISOString(),
          member.id,
        ]),
    ],
    [
      'is an admin who did nothing for 12 hours',
      () =>
        execute(
          `with staff as (update users set role = 'admin' where id = ?) update sessions set last_seen_at = ? where user_id = ?`,
          [member.id, new Date(world.now() - 13 * HOUR).toISOString(), member.id],
        ),
    ],
    ['is deactivated', () => execute('update users set deactivated_at = now() where id = ?', [member.id])],
    [
      'reads of an owner who is deactivated',
      () => execute('update users set deactivated_at = now() where id = ?', [owner.id]),
    ],
    ['reads what is put into the trash', () => owner.client.delete(`/api/files/${file}`).expect(204)],
    [
      'reads what lies in a folder that is put into the trash',
      () => owner.client.delete(`/api/folders/${folder}`).expect(204),
    ],
    ['reads in a zone that is deleted', () => execute('update zones set deleted_at = now() where id = ?', [zone.id])],
  ])('and %s is told, and the answer ends', async (_case, happens) => {
    await lookedAt();
    expect(reader.events).toEqual([]);
    await happens();
    await reader.ended;
    expect(reader.events).toEqual(['gone']);
  });

  it('and reads through a mirror is told when it is taken away', async () => {
    await execute(
      `insert into usage (owner_id, metric, period, allowed) values (?, 'zones', '', null)
       on conflict (owner_id, metric, period) do update set allowed = null`,
      [owner.id],
    );
    const target = await createZone(owner);
    const viewer = await register(world);
    await join(target, viewer);
    const mirror = { sourceFolderId: folder, targetFolderName: 'Mirror', targetZoneId: target.id };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    const through = await OpenReader.open(world, viewer, file);
    await lookedAt();
    expect(through.events).toEqual([]);
    await execute('update folder_mirrors set is_active = false where source_folder_id = ?', [folder]);
    await through.ended;
    expect([through.events, reader.events]).toEqual([['gone'], []]);
  });

  it('goes on reading whatever becomes of others, of their own role, and of the folder in which it lies', async () => {
    const other = await register(world);
    await join(zone, other);
    const beside = await OpenReader.open(world, other, file);
    const once = await OpenReader.open(world, member, file);
    await owner.client.delete(`/api/zones/${zone.id}/members/${other.id}`).expect(204);
    await execute(`update zone_members set role = 'admin' where user_id = ?`, [member.id]);
    await owner.client.patch(`/api/folders/${folder}`).send({ name: 'Chapters' }).expect(200);
    await beside.ended;
    await lookedAt();
    expect([beside.events, reader.events, once.events]).toEqual([['gone'], [], []]);
    once.leave();
  });

  it('is answered as a stream that no proxy holds back or packs', async () => {
    await until('its first line has come', () => reader.text !== '');
    expect(reader.answer.statusCode).toBe(200);
    expect(reader.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(reader.answer.headers).not.toHaveProperty('content-encoding');
    expect(reader.text).toMatch(/^retry: \d+\n\n$/);
  });

  it('is asked about only while somebody is there, and is forgotten with the connection', async () => {
    const statements = jest.spyOn(world.inside.app.get(AccessWatchService)['access'], 'findStillAccessible');
    await lookedAt();
    expect(statements).toHaveBeenCalled();
    reader.leave();
    await until('it is forgotten', () => watch().count === 0);
    expect(world.inside.app.get(EventStreamsService).openCount).toBe(0);
    await lookedAt();
    statements.mockClear();
    await lookedAt();
    expect(statements).not.toHaveBeenCalled();
    statements.mockRestore();
  });

  it('stays open while nobody can be asked, and is told afterwards', async () => {
    const access = world.inside.app.get(AccessWatchService)['access'];
    const statements = jest.spyOn(access, 'findStillAccessible').mockRejectedValue(new Error('The database is away.'));
    await owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`).expect(204);
    await lookedAt();
    expect(reader.events).toEqual([]);
    statements.mockRestore();
    await reader.ended;
    expect(reader.events).toEqual(['gone']);
  });

  it('holds ten of a session at most: the next takes the place of the oldest', async () => {
    const more: OpenReader[] = [];
    for (let at = 0; at < 10; at++) more.push(await OpenReader.open(world, member, file));
    await reader.ended;
    expect(reader.events).toEqual(['replaced']);
    expect(watch().count).toBe(10);
    await lookedAt();
    expect(more.flatMap(({ events }) => events)).toEqual([]);
    more.forEach((one) => one.leave());
  });

  it.each([
    ['a stranger', 404, async () => (await register(world)).client.get(`/api/files/${file}/watch`)],
    ['nobody', 401, () => world.client().get(`/api/files/${file}/watch`)],
  ])('is not %s (%s)', async (_who, status, ask) => {
    expect((await ask()).status).toBe(status);
  });

  it('is no program: a token of theirs is refused', async () => {
    const { token } = await makeToken(member, 'read');
    const asked = world.client().get(`/api/files/${file}/watch`).set('Authorization', `Bearer ${token}`);
    expect((await asked).body.code).toBe('SESSION_REQUIRED');
    // It is not even told whether there is such a file.
    const other = world.client().get('/api/files/999999999/watch').set('Authorization', `Bearer ${token}`);
    expect((await other).body.code).toBe('SESSION_REQUIRED');
  });

  it('is only looked up by HEAD', async () => {
    const head = await OpenReader.open(world, member, file, 'HEAD');
    expect(await head.ended).toBe('');
    expect(watch().count).toBe(1);
  });
});

describeInProcess('a stream of events', () => {
  it('says that it is there, is no slow request, and ends before the process does', async () => {
    const token = 'a token for metrics';
    const world = await World.open({ METRICS_TOKEN: token });
    const { app } = world.inside;
    app.get(EventStreamTimings).keepAliveInterval = 5;
    const owner = await register(world);
    const zone = await createZone(owner);
    const { id } = await put(owner.client, zone.id, 'Course.txt', 'text');
    const reader = await OpenReader.open(world, owner, id);
    await until('it was said twice', () => reader.text.split(':\n\n').length > 2);
    const left = await OpenReader.open(world, owner, id);
    const figures = () => world.client().get('/metrics').set('Authorization', `Bearer ${token}`).expect(200);
    expect((await figures()).text).toContain('\nzonary_event_streams_open 2\n');
    left.leave();
    await until('one is left', () => app.get(EventStreamsService).openCount === 1);
    expect((await figures()).text).toContain('\nzonary_event_streams_open 1\n');
    app.get(EventStreamsService).endAll();
    await reader.ended;
    expect(reader.events).toEqual([]);
    const late = await OpenReader.open(world, owner, id);
    expect(await late.ended).toBe('');
    const metrics = await figures();
    expect(metrics.text).toContain('route="/api/zones"');
    expect(metrics.text).not.toContain('/watch"');
    await world.close();
  });

  it('says nothing more on one whose reader has not taken the last time', async () => {
    const world = await World.open();
    const { app } = world.inside;
    app.get(EventStreamTimings).keepAliveInterval = 5;
    const owner = await register(world);
    const zone = await createZone(owner);
    const { id } = await put(owner.client, zone.id, 'Course.txt', 'text');
    const stalled = await OpenReader.open(world, owner, id);
    const [answer] = app.get(EventStreamsService)['responses'];
    Object.defineProperty(answer, 'writableLength', { value: 1 });
    const written = jest.spyOn(answer!, 'write');
    const other = await OpenReader.open(world, owner, id);
    await until('it was said twice to another one', () => other.text.split(':\n\n').length > 2);
    expect(written).not.toHaveBeenCalled();
    for (const reader of [stalled, other]) reader.leave();
    await world.close();
  });
});
