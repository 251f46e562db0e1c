import { createZone, register, type Actor } from '../support/actors.js';
import { invitationTo, invite } from '../support/invited.js';
import { describeInProcess, World } from '../support/world.js';

describeInProcess('the notice of an accepted invitation', () => {
  let world: World;
  let owner: Actor;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await register(world, { firstName: 'Olga', lastName: 'Owner' });
  });
  afterAll(() => world.close());

  const wants = (notifyAcceptedInvitations: boolean) =>
    owner.client.put('/api/user/profile').send({ firstName: 'Olga', notifyAcceptedInvitations }).expect(200);

  /** Somebody accepts an invitation of the owner, and all that follows from it is done. */
  async function accepted(zoneName: string): Promise<void> {
    const zone = await createZone(owner, { type: 'private', name: zoneName });
    const reader = await register(world, { firstName: 'Rosa', lastName: 'Reader' });
    await invite(zone, owner, reader.email);
    const { token } = await invitationTo(world, reader.email);
    await reader.client.post('/api/accept-invite').send({ token, email: reader.email }).expect(200);
    await world.inside.drain();
  }

  const notices = async () => (await world.mails(owner.email)).filter(({ subject }) => subject.includes('has joined'));

  it('comes to the owner, and says how it is turned off', async () => {
    await accepted('Pottery');
    const [notice, ...more] = await notices();
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ subject: 'Rosa Reader has joined Pottery' });
    expect(notice!.text).toContain('You can turn these notices off in your settings.');
  });

  it('shows a name and a zone with markup as text', async () => {
    await accepted('<img src=x onerror=alert(1)>');
    const [notice] = await notices();
    expect(notice!.html).not.toContain('<img src=x');
    expect(notice!.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('does not come when the owner has turned it off', async () => {
    await wants(false);
    await accepted('Pottery');
    expect(await notices()).toEqual([]);
  });

  it('comes again after it has been turned on again', async () => {
    await wants(false);
    await wants(true);
    await accepted('Pottery');
    expect(await notices()).toHaveLength(1);
  });
});
