import { PASSWORD, register, type Actor } from '../../support/people/actors.js';
import { enrol } from '../../support/people/authenticator.js';
import { describeInProcess, World } from '../../support/world.js';
import { auditOf, makeToken } from './accounts.js';
import { staff, type Staff } from '../admin/admin-world.js';

const needed = { code: 'FACTOR_NEEDED' };

describeInProcess('second factors of admins', () => {
  describe('where STAFF_MFA is required', () => {
    let world: World;
    let people: Staff;
    beforeAll(async () => {
      world = await World.open({ STAFF_MFA: 'required' });
      people = await staff(world);
    });
    afterAll(() => world.close());

    it('are asked for before anything else answers, and let them on at once when set up', async () => {
      const { admin } = people;
      expect((await admin.client.get('/api/user').expect(200)).body.factorNeeded).toBe(true);
      expect((await admin.client.get('/api/session').expect(200)).body.user.factorNeeded).toBe(true);
      expect((await admin.client.get('/api/user/factors').expect(200)).body.required).toBe(true);
      for (const path of ['/api/admin/users', '/api/zones', '/api/user/sessions', '/api/user/export']) {
        expect((await admin.client.get(path).expect(403)).body).toMatchObject(needed);
      }
      expect((await admin.client.post('/api/zones').send({ name: 'Mine' }).expect(403)).body).toMatchObject(needed);
      await enrol(world, admin.client);
      expect((await admin.client.get('/api/user').expect(200)).body.factorNeeded).toBe(false);
      await admin.client.get('/api/admin/users').expect(200);
    });

    it('are asked for in a browser that signs in, which can confirm and sign out without', async () => {
      const { superAdmin } = people;
      const client = world.client();
      const { body } = await client
        .post('/api/login')
        .send({ email: superAdmin.email, password: PASSWORD })
        .expect(200);
      expect(body).toMatchObject({ isSuperAdmin: true });
      expect((await client.get('/api/admin/stats').expect(403)).body).toMatchObject(needed);
      await client.get('/api/user/confirm').expect(200);
      await client.post('/api/user/confirm').send({ password: PASSWORD }).expect(200);
      await client.post('/api/user/passkeys/options').send().expect(200);
      await client.post('/api/logout').expect(200);
    });

    it('bind tokens of theirs as well, and nobody who is no admin', async () => {
      const ada = await register(world);
      const { token } = await makeToken(ada);
      const byToken = () => world.client().get('/api/zones').set('Authorization', `Bearer ${token}`);
      await byToken().expect(200);
      expect((await ada.client.get('/api/user').expect(200)).body.factorNeeded).toBe(false);
      expect((await ada.client.get('/api/user/factors').expect(200)).body.required).toBe(false);
      await world.inside.em().execute(`update users set role = 'admin' where id = ?`, [ada.id]);
      expect((await byToken().expect(403)).body).toMatchObject(needed);
      await enrol(world, ada.client);
      await byToken().expect(200);
    });

    it('are asked for again when the last one is removed', async () => {
      const ada = await register(world);
      await world.inside.em().execute(`update users set role = 'admin' where id = ?`, [ada.id]);
      await enrol(world, ada.client);
      await ada.client.get('/api/zones').expect(200);
      await ada.client.delete('/api/user/factors').expect(204);
      expect((await ada.client.get('/api/zones').expect(403)).body).toMatchObject(needed);
    });
  });

  describe('that somebody has lost', () => {
    let world: World;
    let people: Staff;
    beforeAll(async () => {
      world = await World.open();
      people = await staff(world);
    });
    afterAll(() => world.close());

    const reset = (by: Actor, { id }: Actor) => by.client.post(`/api/admin/users/${id}/reset-factors`).send();

    it('are removed by a super admin, which ends sessions and tokens and is told', async () => {
      const ada = await register(world);
      await enrol(world, ada.client);
      const { token } = await makeToken(ada);
      const detail = () => people.superAdmin.client.get(`/api/admin/users/${ada.id}`).expect(200);
      expect((await detail()).body).toMatchObject({ hasFactor: true, can: { resetFactors: true } });
      await reset(people.superAdmin, ada).expect(204);
      expect((await detail()).body.hasFactor).toBe(false);
      await ada.client.get('/api/user').expect(401);
      await world.client().get('/api/user').set('Authorization', `Bearer ${token}`).expect(401);
      const { body } = await world
        .client()
        .post('/api/login')
        .send({ email: ada.email, password: PASSWORD })
        .expect(200);
      expect(body.id).toBe(ada.id);
      expect(await auditOf(world, ada.id)).toContain('user.factors-reset');
      expect((await world.mailTo(ada.email)).subject).toBe('Two-step sign-in has been reset');
      expect((await reset(people.superAdmin, ada).expect(404)).body.code).toBe('FACTOR_MISSING');
    });

    it('stay with whoever is no super admin, with oneself and without a fresh confirmation', async () => {
      const ada = await register(world);
      await enrol(world, ada.client);
      await reset(people.admin, ada).expect(403);
      await reset(ada, ada).expect(403);
      await enrol(world, people.superAdmin.client);
      expect((await reset(people.superAdmin, people.superAdmin).expect(403)).body.code).toBe('OWN_ACCOUNT');
      world.inside.clock.advance(11 * 60_000);
      expect((await reset(people.superAdmin, ada).expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
      expect((await ada.client.get('/api/user/factors').expect(200)).body.authenticator).not.toBeNull();
    });
  });
});
