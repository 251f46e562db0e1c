import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { createNumberedPages } from '../rendering/generated/text-pdf.js';
import { uploadFile } from '../upload/multipart-helpers.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;
let id: number;

describeInProcess('Text permission of a document', () => {
  beforeAll(async () => {
    world = await World.open();
    [owner, member] = [await registerUser(world), await registerUser(world)];
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
    id = (await uploadFile(owner.client, zone.id, 'a.pdf', createNumberedPages(2, 'Light'))).id;
    await world.testApp.drain();
  });
  afterAll(() => world?.close());

  it.each([
    [true, true, 200],
    [true, false, 200],
    [false, true, 200],
    [false, false, 403],
  ])('decides on text but never on pages: downloads %s, text %s: %s', async (allowDownload, allowText, status) => {
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload, allowText }).expect(200);
    for (const path of ['pages/1/text', 'pages/search?q=light']) {
      await owner.client.get(`/api/files/${id}/${path}`).expect(200);
      const { body } = await member.client.get(`/api/files/${id}/${path}`).expect(status);
      if (status === 403) expect(body.code).toBe('TEXT_NOT_ALLOWED');
    }
    await member.client.get(`/api/files/${id}/pages/1`).expect(200);
    const { body } = await member.client.get(`/api/files/${id}`).expect(200);
    expect(body).toMatchObject({ allowText, can: { view: true, download: allowDownload, text: status === 200 } });
  });
});
