import { PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { enrolAuthenticator } from '../../support/people/authenticator.js';
import { describeInProcess, World } from '../../support/world.js';
import { listAuditTypes, createApiToken } from './account-helpers.js';
import { registerStaff, type Staff } from '../admin/staff-helpers.js';

const needed = { code: 'FACTOR_NEEDED' };

describeInProcess('Second factors of admins', () => {
  describe('when STAFF_MFA is required', () => {
    let world: World;
    let people: Staff;
    beforeAll(async () => {
      world = await World.open({ STAFF_MFA: 'required' });
      people = await registerStaff(world);
    });
    afterAll(() => world.close());

    it('are required before any other request and unlock the session once set up', async () => {
      const { admin } = people;
      expect((await admin.client.get('/api/user').expect(200)).body.factorNeeded).toBe(true);
      expect((await admin.client.get('/api/session').expect(200)).body.user.factorNeeded).toBe(true);
      expect((await admin.client.get('/api/user/factors').expect(200)).body.required).toBe(true);
      for (const path of ['/api/admin/users', '/api/zones', '/api/user/sessions', '/api/user/export']) {
        expect((await admin.client.get(path).expect(403)).body).toMatchObject(needed);
      }
      expect((await admin.client.post('/api/zones').send({ name: 'Mine' }).expect(403)).body).toMatchObject(needed);
      await enrolAuthenticator(world, admin.client);
      expect((await admin.client.get('/api/user').expect(200)).body.factorNeeded).toBe(false);
      await admin.client.get('/api/admin/users').expect(200);
    });

    it('are required in a new sign-in, which can still confirm and sign out', async () => {
      const { superAdmin } = people;
      const client = world.createClient();
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

    it('are required for tokens of admins, not of other users', async () => {
      const ada = await registerUser(world);
      const { token } = await createApiToken(ada);
      const requestByToken = () => world.createClient().get('/api/zones').set('Authorization', `Bearer ${token}`);
      await requestByToken().expect(200);
      expect((await ada.client.get('/api/user').expect(200)).body.factorNeeded).toBe(false);
      expect((await ada.client.get('/api/user/factors').expect(200)).body.required).toBe(false);
      await world.testApp.em().execute(`update users set role = 'admin' where id = ?`, [ada.id]);
      expect((await requestByToken().expect(403)).body).toMatchObject(needed);
      await enrolAuthenticator(world, ada.client);
      await requestByToken().expect(200);
    });

    it('are required again after the last one is removed', async () => {
      const ada = await registerUser(world);
      await world.testApp.em().execute(`update users set role = 'admin' where id = ?`, [ada.id]);
      await enrolAuthenticator(world, ada.client);
      await ada.client.get('/api/zones').expect(200);
      await ada.client.delete('/api/user/factors').expect(204);
      expect((await ada.client.get('/api/zones').expect(403)).body).toMatchObject(needed);
    });
  });

  describe('reset by a super admin', () => {
    let world: World;
    let people: Staff;
    beforeAll(async () => {
      world = await World.open();
      people = await registerStaff(world);
    });
    afterAll(() => world.close());

    const reset = (by: Actor, { id }: Actor) => by.client.post(`/api/admin/users/${id}/reset-factors`).send();

    it('are removed, which ends sessions and tokens and notifies the user', async () => {
      const ada = await registerUser(world);
      await enrolAuthenticator(world, ada.client);
      const { token } = await createApiToken(ada);
      const readUser = () => people.superAdmin.client.get(`/api/admin/users/${ada.id}`).expect(200);
      expect((await readUser()).body).toMatchObject({ hasFactor: true, can: { resetFactors: true } });
      await reset(people.superAdmin, ada).expect(204);
      expect((await readUser()).body.hasFactor).toBe(false);
      await ada.client.get('/api/user').expect(401);
      await world.createClient().get('/api/user').set('Authorization', `Bearer ${token}`).expect(401);
      const { body } = await world
        .createClient()
        .post('/api/login')
        .send({ email: ada.email, password: PASSWORD })
        .expect(200);
      expect(body.id).toBe(ada.id);
      expect(await listAuditTypes(world, ada.id)).toContain('user.factors-reset');
      expect((await world.waitForEmail(ada.email)).subject).toBe('Two-step sign-in has been reset');
      expect((await reset(people.superAdmin, ada).expect(404)).body.code).toBe('FACTOR_MISSING');
    });

    it('are kept without super admin rights, on the own account and without confirmation', async () => {
      const ada = await registerUser(world);
      await enrolAuthenticator(world, ada.client);
      await reset(people.admin, ada).expect(403);
      await reset(ada, ada).expect(403);
      await enrolAuthenticator(world, people.superAdmin.client);
      expect((await reset(people.superAdmin, people.superAdmin).expect(403)).body.code).toBe('OWN_ACCOUNT');
      world.testApp.clock.advance(11 * 60_000);
      expect((await reset(people.superAdmin, ada).expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
      expect((await ada.client.get('/api/user/factors').expect(200)).body.authenticator).not.toBeNull();
    });
  });
});
