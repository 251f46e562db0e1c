import { createZone, joinPublicZone, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';

const nothing = { closed: false, zone: false, file: false, visitorPreview: false, link: false, reader: false };

describeInProcess('Checklist for new owners', () => {
  let world: World;
  let owner: Actor;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
  });
  afterAll(() => world.close());

  const start = async (actor = owner) => (await actor.client.get('/api/dashboard/start').expect(200)).body;
  const reportStep = async (step: string) =>
    (await owner.client.post('/api/dashboard/start').send({ step }).expect(200)).body;

  it('is ticked off by existing data and reported steps', async () => {
    expect(await start()).toEqual(nothing);
    const zone = await createZone(owner);
    expect(await start()).toEqual({ ...nothing, zone: true });
    await uploadFile(owner.client, zone.id, 'a.txt', 'hello');
    expect(await start()).toEqual({ ...nothing, zone: true, file: true });
    expect(await reportStep('visitorPreview')).toEqual({ ...nothing, zone: true, file: true, visitorPreview: true });
    const doneSteps = { zone: true, file: true, visitorPreview: true, link: true };
    expect(await reportStep('link')).toEqual({ ...nothing, ...doneSteps });
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    expect(await start()).toEqual({ ...nothing, ...doneSteps, reader: true });
    expect(await start(member)).toEqual(nothing);
  });

  it('stays closed once it is closed', async () => {
    await reportStep('closed');
    const zone = await createZone(owner);
    expect(await reportStep('closed')).toEqual({ ...nothing, closed: true, zone: true });
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    expect(await start()).toEqual({ ...nothing, closed: true });
  });

  it('is closed for owners who already have members', async () => {
    const zone = await createZone(owner);
    await joinPublicZone(zone, await registerUser(world));
    const without = { ...nothing, closed: true, zone: true, reader: true };
    expect(await start()).toEqual(without);
    expect(await reportStep('link')).toEqual({ ...without, link: true });
  });

  it('restarts for an owner who lost the only members', async () => {
    const zone = await createZone(owner);
    await joinPublicZone(zone, await registerUser(world));
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    expect(await start()).toEqual(nothing);
    expect(await reportStep('link')).toEqual({ ...nothing, link: true });
  });

  it('rejects other steps', async () => {
    const { body } = await owner.client.post('/api/dashboard/start').send({ step: 'reader' }).expect(400);
    expect(body.code).toBe('VALIDATION_FAILED');
    expect(await start()).toEqual(nothing);
  });
});
