import { createZone, PASSWORD, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { waitForInvitation, invite } from '../../support/people/invitations.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { requestJoinByLink, createLink, createPrivateZone } from '../links/link-helpers.js';

const OTHER_NETWORK = '198.51.100.7';

/** Sends one email at a time: each is read from the mailbox before the next is requested. */
function mailsOf(world: World) {
  return async (email: string, sendRequest: () => PromiseLike<unknown>) => {
    const before = new Set((await world.listEmails(email)).map(({ id }) => id));
    await sendRequest();
    return world.waitForEmail(email, ({ id }) => !before.has(id));
  };
}
const tokenIn = ({ text }: { text: string }) => /token=([\w-]+)/.exec(text)![1]!;

describe.each<[string, Record<string, string>]>([
  ['behind a proxy', { TRUST_PROXY: 'loopback' }],
  ['without a proxy', {}],
])('Requester fingerprint of an installation %s', (_where, env) => {
  describeInProcess('when another email is requested', () => {
    let world: World;
    let ada: Actor;
    beforeAll(async () => {
      world = await World.open(env);
    });
    beforeEach(async () => {
      ada = await registerUser(world);
    });
    afterAll(() => world.close());

    /** Requests four password resets; returns which links then work. From one requester, the last three do. */
    async function checkUsableLinks(
      requests: readonly { from: string; email?: string; device?: string }[],
    ): Promise<boolean[]> {
      const tokens: string[] = [];
      for (const { from, email = ada.email, device } of requests) {
        const client: Client = world.createClient();
        if (device) client.jar.setCookie(`zonary_device=${device}; path=/`, new URL(world.url).hostname);
        const requestReset = () =>
          client.post('/api/forgot-password').set('X-Forwarded-For', from).send({ email }).expect(200);
        tokens.push(tokenIn(await mailsOf(world)(ada.email, requestReset)));
      }
      const isUsable = async (token: string) =>
        (await world.createClient().post('/api/reset-password/check').send({ token }).expect(200)).body
          .usable as boolean;
      return Promise.all(tokens.map(isUsable));
    }
    const ONE = [false, true, true, true];

    it('ignores the parts of X-Forwarded-For that no trusted proxy has written', async () => {
      const forged = ['192.0.2.1', '192.0.2.2', 'unknown', '"[::1]:80"'];
      expect(await checkUsableLinks(forged.map((address) => ({ from: `${address}, ${OTHER_NETWORK}` })))).toEqual(ONE);
    });

    it('ignores made-up device cookies and the spelling of the address', async () => {
      const [name, host] = ada.email.split('@');
      expect(
        await checkUsableLinks([
          { from: OTHER_NETWORK, device: 'a'.repeat(43) },
          { from: OTHER_NETWORK, device: 'b'.repeat(43), email: ada.email.toUpperCase() },
          { from: OTHER_NETWORK, email: ` ${ada.email} ` },
          { from: OTHER_NETWORK, email: `${name}@${host!.toUpperCase()}` },
        ]),
      ).toEqual(ONE);
    });

    it('treats an IPv6 network and all spellings of an IPv4 address as one requester', async () => {
      const sameNetwork = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:db8:1:2:3:4:5:6', '2001:db8:0001:0002::'];
      expect(await checkUsableLinks(sameNetwork.map((from) => ({ from })))).toEqual(ONE);
      const mapped = [OTHER_NETWORK, `::ffff:${OTHER_NETWORK}`, '::ffff:c633:6407', OTHER_NETWORK];
      expect(await checkUsableLinks(mapped.map((from) => ({ from })))).toEqual(ONE);
    });

    it('distinguishes networks only when a trusted proxy reports them', async () => {
      const networks = ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:4::1', '192.0.2.9'];
      const all = [true, true, true, true];
      expect(await checkUsableLinks(networks.map((from) => ({ from })))).toEqual(env.TRUST_PROXY ? all : ONE);
    });
  });
});

describeInProcess('Emails that another user requests for an address', () => {
  let world: World;
  let ada: Actor;
  let eve: Actor;
  let email: string;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    [ada, eve] = [await registerUser(world), await registerUser(world)];
    email = `${uniqueName('wanted')}@example.com`;
  });
  afterAll(() => world.close());

  it('keep the link of an email change valid', async () => {
    const requestChange = (actor: Actor) =>
      mailsOf(world)(email, () => actor.client.post('/api/user/email').send({ email, password: PASSWORD }).expect(200));
    const token = tokenIn(await requestChange(ada));
    for (let count = 0; count < 3; count++) await requestChange(eve);
    await world.createClient().post('/api/email-change').send({ token }).expect(200);
    expect((await ada.client.get('/api/user').expect(200)).body.email).toBe(email);
  });

  it('keep the link of a join request valid', async () => {
    const stage = await createPrivateZone(world);
    const link = await createLink(stage);
    const proof = await requestJoinByLink(world, link, email);
    for (let count = 0; count < 3; count++) {
      await world
        .createClient()
        .post(`/api/temporary-links/${link.token}/join`)
        .send({ email, emailConsent: true })
        .expect(200);
    }
    await world.testApp.drain();
    await world.createClient().post('/api/verify-email').send(proof).expect(200);
  });

  it('keep the invitation of another owner valid', async () => {
    const [zone, other] = [await createZone(ada), await createZone(eve)];
    await invite(zone, ada, email);
    const { token, password } = await waitForInvitation(world, email);
    await invite(other, eve, email);
    const form = { token, email, password, emailConsent: true };
    await world.createClient().post('/api/accept-invite').send(form).expect(200);
  });

  it('keep the verification link of a reply-to address valid', async () => {
    const [zone, other] = [await createZone(ada), await createZone(eve)];
    const postInvite = (actor: Actor, { id }: { id: number }) =>
      actor.client.put(`/api/zones/${id}/mail-settings`).send({ replyTo: email }).expect(200);
    const token = tokenIn(await mailsOf(world)(email, () => postInvite(ada, zone)));
    await mailsOf(world)(email, () => postInvite(eve, other));
    await world.createClient().post('/api/reply-to').send({ token }).expect(200);
  });
});
