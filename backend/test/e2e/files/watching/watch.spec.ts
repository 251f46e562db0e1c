import { DAY, HOUR } from '../../../../src/platform/clock/clock.js';
import {
  EventStreamsService,
  EventStreamTimings,
} from '../../../../src/platform/http/event-streams/event-streams.service.js';
import { AccessWatchService } from '../../../../src/modules/files/watching/access-watch.service.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../../support/people/actors.js';
import { waitUntil } from '../../../support/wait-until.js';
import { describeInProcess, World } from '../../../support/world.js';
import { createApiToken } from '../../auth/account-helpers.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';
import { FileWatchClient } from './file-watch-client.js';

describeInProcess('GET /api/files/:id/watch', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let folder: number;
  let file: number;
  let member: Actor;
  let reader: FileWatchClient;

  const execute = (sql: string, params: unknown[]) => world.testApp.em().execute(sql, params);
  const watch = () => world.testApp.app.get(AccessWatchService);
  /** Waits until access of all open watchers has been checked once more. */
  const waitForAccessCheck = async () => {
    const ticker = watch() as unknown as { isChecking: boolean; checkAccess(): Promise<void> };
    await waitUntil('no check is running', () => !ticker.isChecking);
    await ticker.checkAccess();
  };

  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
    folder = await createFolder(owner.client, zone.id, 'Lessons');
    file = (await uploadFile(owner.client, zone.id, 'Course.txt', 'text', `?folderId=${folder}`)).id;
    member = await registerUser(world);
    await joinPublicZone(zone, member);
    reader = await FileWatchClient.open(world, member, file);
  });
  afterEach(async () => {
    reader.disconnect();
    await waitUntil('all streams are closed', () => watch().count === 0);
  });
  afterAll(() => world.close());

  it.each<[string, () => unknown]>([
    ['was removed', () => owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`).expect(204)],
    ['left', () => member.client.post(`/api/zones/${zone.id}/leave`).send({}).expect(200)],
    [
      'has an expired membership',
      () =>
        execute('update zone_members set expires_at = ? where user_id = ?', [
          new Date(world.now() - 1).toISOString(),
          member.id,
        ]),
    ],
    ['signs out', () => member.client.post('/api/logout').expect(200)],
    [
      'has an idle session',
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
      'reads a file of a deactivated owner',
      () => execute('update users set deactivated_at = now() where id = ?', [owner.id]),
    ],
    ['reads a file that is trashed', () => owner.client.delete(`/api/files/${file}`).expect(204)],
    ['reads a file in a folder that is trashed', () => owner.client.delete(`/api/folders/${folder}`).expect(204)],
    [
      'reads a file of a zone that is deleted',
      () => execute('update zones set deleted_at = now() where id = ?', [zone.id]),
    ],
  ])('sends "gone" and ends when the reader %s', async (_case, happens) => {
    await waitForAccessCheck();
    expect(reader.eventNames).toEqual([]);
    await happens();
    await reader.ended;
    expect(reader.eventNames).toEqual(['gone']);
  });

  it('sends "gone" when the mirror that gives access is removed', async () => {
    await execute(
      `insert into usage (owner_id, metric, period, allowed) values (?, 'zones', '', null)
       on conflict (owner_id, metric, period) do update set allowed = null`,
      [owner.id],
    );
    const target = await createZone(owner);
    const viewer = await registerUser(world);
    await joinPublicZone(target, viewer);
    const mirror = { sourceFolderId: folder, targetFolderName: 'Mirror', targetZoneId: target.id };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    const mirrorReader = await FileWatchClient.open(world, viewer, file);
    await waitForAccessCheck();
    expect(mirrorReader.eventNames).toEqual([]);
    await execute('update folder_mirrors set is_active = false where source_folder_id = ?', [folder]);
    await mirrorReader.ended;
    expect([mirrorReader.eventNames, reader.eventNames]).toEqual([['gone'], []]);
  });

  it('is not affected by other members, role changes or changes to the folder', async () => {
    const other = await registerUser(world);
    await joinPublicZone(zone, other);
    const otherMember = await FileWatchClient.open(world, other, file);
    const secondStream = await FileWatchClient.open(world, member, file);
    await owner.client.delete(`/api/zones/${zone.id}/members/${other.id}`).expect(204);
    await execute(`update zone_members set role = 'admin' where user_id = ?`, [member.id]);
    await owner.client.patch(`/api/folders/${folder}`).send({ name: 'Chapters' }).expect(200);
    await otherMember.ended;
    await waitForAccessCheck();
    expect([otherMember.eventNames, reader.eventNames, secondStream.eventNames]).toEqual([['gone'], [], []]);
    secondStream.disconnect();
  });

  it('is an event stream that proxies neither buffer nor compress', async () => {
    await waitUntil('the first line is received', () => reader.text !== '');
    expect(reader.response.statusCode).toBe(200);
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(reader.response.headers).not.toHaveProperty('content-encoding');
    expect(reader.text).toMatch(/^retry: \d+\n\n$/);
  });

  it('queries the database only while streams are open', async () => {
    const statements = jest.spyOn(world.testApp.app.get(AccessWatchService)['access'], 'findStillAccessible');
    await waitForAccessCheck();
    expect(statements).toHaveBeenCalled();
    reader.disconnect();
    await waitUntil('the watcher is removed', () => watch().count === 0);
    expect(world.testApp.app.get(EventStreamsService).openCount).toBe(0);
    await waitForAccessCheck();
    statements.mockClear();
    await waitForAccessCheck();
    expect(statements).not.toHaveBeenCalled();
    statements.mockRestore();
  });

  it('stays open while the database is unavailable and sends the event afterwards', async () => {
    const access = world.testApp.app.get(AccessWatchService)['access'];
    const statements = jest
      .spyOn(access, 'findStillAccessible')
      .mockRejectedValue(new Error('The database is unavailable.'));
    await owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`).expect(204);
    await waitForAccessCheck();
    expect(reader.eventNames).toEqual([]);
    statements.mockRestore();
    await reader.ended;
    expect(reader.eventNames).toEqual(['gone']);
  });

  it('holds at most ten streams per session, replacing the oldest', async () => {
    const more: FileWatchClient[] = [];
    for (let index = 0; index < 10; index++) more.push(await FileWatchClient.open(world, member, file));
    await reader.ended;
    expect(reader.eventNames).toEqual(['replaced']);
    expect(watch().count).toBe(10);
    await waitForAccessCheck();
    expect(more.flatMap(({ eventNames }) => eventNames)).toEqual([]);
    more.forEach((watch) => watch.disconnect());
  });

  it.each([
    ['a non-member', 404, async () => (await registerUser(world)).client.get(`/api/files/${file}/watch`)],
    ['a signed-out visitor', 401, () => world.createClient().get(`/api/files/${file}/watch`)],
  ])('is rejected for %s (%s)', async (_who, status, request) => {
    expect((await request()).status).toBe(status);
  });

  it('rejects API tokens', async () => {
    const { token } = await createApiToken(member, 'read');
    const request = world.createClient().get(`/api/files/${file}/watch`).set('Authorization', `Bearer ${token}`);
    expect((await request).body.code).toBe('SESSION_REQUIRED');
    // The response doesn't reveal whether the file exists.
    const other = world.createClient().get('/api/files/999999999/watch').set('Authorization', `Bearer ${token}`);
    expect((await other).body.code).toBe('SESSION_REQUIRED');
  });

  it('opens no stream on HEAD', async () => {
    const head = await FileWatchClient.open(world, member, file, 'HEAD');
    expect(await head.ended).toBe('');
    expect(watch().count).toBe(1);
  });
});

describeInProcess('Event stream', () => {
  it('appears in the metrics, is not logged as slow and ends before shutdown', async () => {
    const token = 'a token for metrics';
    const world = await World.open({ METRICS_TOKEN: token });
    const { app } = world.testApp;
    app.get(EventStreamTimings).keepAliveInterval = 5;
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    const { id } = await uploadFile(owner.client, zone.id, 'Course.txt', 'text');
    const reader = await FileWatchClient.open(world, owner, id);
    await waitUntil('two keep-alive comments are received', () => reader.text.split(':\n\n').length > 2);
    const left = await FileWatchClient.open(world, owner, id);
    const figures = () => world.createClient().get('/metrics').set('Authorization', `Bearer ${token}`).expect(200);
    expect((await figures()).text).toContain('\nzonary_event_streams_open 2\n');
    left.disconnect();
    await waitUntil('one stream is left', () => app.get(EventStreamsService).openCount === 1);
    expect((await figures()).text).toContain('\nzonary_event_streams_open 1\n');
    app.get(EventStreamsService).endAll();
    await reader.ended;
    expect(reader.eventNames).toEqual([]);
    const late = await FileWatchClient.open(world, owner, id);
    expect(await late.ended).toBe('');
    const metrics = await figures();
    expect(metrics.text).toContain('route="/api/zones"');
    expect(metrics.text).not.toContain('/watch"');
    await world.close();
  });

  it('skips heartbeats for clients that have not read the last one', async () => {
    const world = await World.open();
    const { app } = world.testApp;
    app.get(EventStreamTimings).keepAliveInterval = 5;
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    const { id } = await uploadFile(owner.client, zone.id, 'Course.txt', 'text');
    const stalled = await FileWatchClient.open(world, owner, id);
    const [response] = app.get(EventStreamsService)['responses'];
    Object.defineProperty(response, 'writableLength', { value: 1 });
    const written = jest.spyOn(response!, 'write');
    const other = await FileWatchClient.open(world, owner, id);
    await waitUntil('two keep-alive comments are received', () => other.text.split(':\n\n').length > 2);
    expect(written).not.toHaveBeenCalled();
    for (const reader of [stalled, other]) reader.disconnect();
    await world.close();
  });
});
