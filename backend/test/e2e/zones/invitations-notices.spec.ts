import { MailerService } from '@nestjs-modules/mailer';
import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { readAudience, waitForInvitation, invite, makeAdmin, uniqueEmail } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';

describeInProcess('Notification of an accepted invitation', () => {
  let world: World;
  let owner: Actor;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world, { firstName: 'Olga', lastName: 'Owner' });
  });
  afterAll(() => world.close());

  const setNotifications = (notifyAcceptedInvitations: boolean) =>
    owner.client.put('/api/user/profile').send({ firstName: 'Olga', notifyAcceptedInvitations }).expect(200);

  /** Accepts an invitation of the owner and runs the resulting jobs. */
  async function acceptInvitation(zoneName: string): Promise<void> {
    const zone = await createZone(owner, { type: 'private', name: zoneName });
    const invitee = await registerUser(world, { firstName: 'Rosa', lastName: 'Reader' });
    await invite(zone, owner, invitee.email);
    const { token } = await waitForInvitation(world, invitee.email);
    await invitee.client
      .post('/api/accept-invite')
      .send({ token, email: invitee.email, emailConsent: true })
      .expect(200);
    await world.testApp.drain();
  }

  const notices = async () =>
    (await world.listEmails(owner.email)).filter(({ subject }) => subject.includes('has joined'));

  it('is emailed to the owner and says how to turn it off', async () => {
    await acceptInvitation('Pottery');
    const [notice, ...more] = await notices();
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ subject: 'Rosa Reader has joined Pottery' });
    expect(notice!.text).toContain('You can turn off these emails in your settings.');
  });

  it('escapes markup in names of people and zones', async () => {
    await acceptInvitation('<img src=x onerror=alert(1)>');
    const [notice] = await notices();
    expect(notice!.html).not.toContain('<img src=x');
    expect(notice!.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('is not sent when the owner has turned it off', async () => {
    await setNotifications(false);
    await acceptInvitation('Pottery');
    expect(await notices()).toEqual([]);
  });

  it('is sent again when the owner turns it on again', async () => {
    await setNotifications(false);
    await setNotifications(true);
    await acceptInvitation('Pottery');
    expect(await notices()).toHaveLength(1);
  });
});

describeInProcess('Invitation whose email fails', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world, { firstName: 'Olga' });
    zone = await createZone(owner, { type: 'private', name: 'Pottery' });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.close());

  /** Without a mail server, accepted emails are held back. */
  const heldBack = { sentAt: null, keptAt: expect.any(String), undeliverableAt: null };

  /** Makes the mail server reply like this to matching addresses from now on. */
  function reply(responseCode: number, fits: (email: string) => boolean): void {
    const mailer = world.testApp.app.get(MailerService);
    const send = mailer.sendMail.bind(mailer);
    jest.spyOn(mailer, 'sendMail').mockImplementation((mail) => {
      const { address } = mail.to as { address: string };
      if (!fits(address)) return send(mail);
      const response = `${responseCode} <${address}> is not here`;
      return Promise.reject(Object.assign(new Error(response), { responseCode, response, command: 'RCPT TO' }));
    });
  }
  const findInvitation = async (email: string) => {
    const { body } = await owner.client.get(`/api/zones/${zone.id}/invitations`).expect(200);
    return (body as { id: number; email: string }[]).find((row) => row.email === email);
  };
  const inviteAndSend = async (by: Actor, ...emails: string[]) => {
    const results = await invite(zone, by, ...emails);
    await world.testApp.drain();
    return results;
  };
  const listNotifications = async ({ email }: Actor) =>
    (await world.listEmails(email)).filter(({ subject }) => subject.includes("couldn't be delivered"));
  const advanceOneHour = async () => {
    world.testApp.clock.advance(61 * 60_000);
    await world.testApp.drain();
  };

  it('counts as sent only when the server accepted the email', async () => {
    const email = uniqueEmail();
    await invite(zone, owner, email);
    expect(await findInvitation(email)).toMatchObject({ sentAt: null, keptAt: null, undeliverableAt: null });
    reply(451, (to) => to === email);
    await expect(world.testApp.drain()).rejects.toThrow('451');
    expect(await findInvitation(email)).toMatchObject({ sentAt: null, keptAt: null, undeliverableAt: null });
    jest.restoreAllMocks();
    world.testApp.clock.advance(10 * 60_000);
    await world.testApp.drain();
    expect((await findInvitation(email)) as object).toMatchObject(heldBack);
    expect(await listNotifications(owner)).toEqual([]);
  });

  it('ends on a permanent failure, frees its quota and notifies the inviter', async () => {
    const admin = await registerUser(world, { firstName: 'Alma' });
    await inviteAndSend(owner, admin.email);
    const { token } = await waitForInvitation(world, admin.email);
    await admin.client.post('/api/accept-invite').send({ token, email: admin.email, emailConsent: true }).expect(200);
    await makeAdmin(world, zone, admin);
    const before = await readAudience(world, owner);
    const email = uniqueEmail();
    reply(550, (to) => to === email);
    await inviteAndSend(admin, email);
    expect(await findInvitation(email)).toMatchObject({ sentAt: null, undeliverableAt: expect.any(String) });
    expect(await readAudience(world, owner)).toEqual(before);
    expect(await listNotifications(owner)).toEqual([]);
    const [mail, ...more] = await listNotifications(admin);
    expect(more).toEqual([]);
    expect(mail!.subject).toBe("Your invitation to Pottery couldn't be delivered");
    expect(mail!.text).toContain(`${email} · Pottery`);
    expect(await world.listEmails(email)).toEqual([]);
  });

  it('can be resent or repeated and is accepted then', async () => {
    const [one, other] = [uniqueEmail(), uniqueEmail()];
    reply(550, (to) => [one, other].includes(to));
    await inviteAndSend(owner, one, other);
    jest.restoreAllMocks();
    await owner.client.post(`/api/zones/${zone.id}/invitations/${(await findInvitation(one))!.id}/resend`).expect(200);
    expect(await inviteAndSend(owner, other)).toMatchObject([{ status: 'INVITED' }]);
    for (const email of [one, other]) {
      expect(await findInvitation(email)).toMatchObject(heldBack);
      const { token } = await waitForInvitation(world, email);
      await world.createClient().get(`/api/invite/${token}`).expect(200);
    }
    expect(await readAudience(world, owner)).toMatchObject({ used: 2, pending: 2 });
  });

  it('is reported hourly in one email that names ten addresses and counts the rest', async () => {
    reply(550, (to) => to.includes('invited'));
    await inviteAndSend(owner, uniqueEmail());
    expect(await listNotifications(owner)).toHaveLength(1);
    await inviteAndSend(owner, ...Array.from({ length: 12 }, uniqueEmail));
    expect(await listNotifications(owner)).toHaveLength(1);
    await advanceOneHour();
    const [digest, ...earlier] = await listNotifications(owner);
    expect(earlier).toHaveLength(1);
    expect(digest!.subject).toBe("12 invitations couldn't be delivered");
    expect(digest!.text.match(/ · Pottery/g)).toHaveLength(10);
    expect(digest!.text).toContain('And 2 more.');
    await advanceOneHour();
    expect(await listNotifications(owner)).toHaveLength(2);
  });
});
