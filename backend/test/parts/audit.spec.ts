import { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { AuditRepository } from '../../src/platform/audit/audit.repository.js';
import type { AuditType } from '../../src/platform/audit/audit-types.js';
import { JobsPlatform } from './jobs-app.js';

describe('Audit log', () => {
  let platform: JobsPlatform;
  let em: EntityManager;
  let audit: AuditRepository;

  beforeAll(async () => {
    platform = await JobsPlatform.open();
    const app = await platform.start();
    em = app.get(EntityManager).fork();
    audit = app.get(AuditRepository);
  });
  afterAll(() => platform.close());

  const listEntries = (type: AuditType) =>
    platform.query<{ id: string }>('SELECT * FROM audit_log WHERE type = $1 ORDER BY id', [type]);

  it('contains what was committed and not what was rolled back', async () => {
    await inTransaction(em, (tx) =>
      audit.record(tx, {
        type: 'plan.granted',
        actorId: 1,
        subjectId: 2,
        params: { plan: 'free' },
        ipAddress: '192.0.2.1',
      }),
    );
    const broken = inTransaction(em, async (tx) => {
      await audit.record(tx, { type: 'plan.granted' });
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    await audit.record(em, { type: 'plan.granted' });
    expect(await listEntries('plan.granted')).toMatchObject([
      {
        actor_id: '1',
        subject_id: '2',
        params: { plan: 'free' },
        ip_address: '192.0.2.1',
        created_at: expect.any(Date),
      },
      { actor_id: null, subject_id: null, params: {}, ip_address: null },
    ]);
  });

  it.each([
    `DELETE FROM audit_log WHERE id = $1`,
    `UPDATE audit_log SET type = 'test.other' WHERE id = $1`,
    `UPDATE audit_log SET created_at = now() WHERE id = $1`,
    `UPDATE audit_log SET actor_id = 9 WHERE id = $1`,
    `UPDATE audit_log SET subject_id = actor_id WHERE id = $1`,
    `UPDATE audit_log SET ip_address = '192.0.2.2' WHERE id = $1`,
    `UPDATE audit_log SET params = '{"plan": "pro"}' WHERE id = $1`,
    `UPDATE audit_log SET params = params || '{"more": 1}' WHERE id = $1`,
  ])('rejects %s', async (sql) => {
    await audit.record(em, {
      type: 'plan.changed',
      actorId: 1,
      subjectId: 2,
      params: { plan: 'free' },
      ipAddress: '192.0.2.1',
    });
    const before = await listEntries('plan.changed');
    await expect(platform.query(sql, [before.at(-1)!.id])).rejects.toThrow('audit_log is append-only');
    expect(await listEntries('plan.changed')).toEqual(before);
  });

  it('allows anonymising a user', async () => {
    const params = { plan: 'free', name: 'Mary' };
    await audit.record(em, { type: 'user.deactivated', actorId: 1, subjectId: 2, params, ipAddress: '192.0.2.1' });
    await platform.query(
      `UPDATE audit_log SET actor_id = NULL, subject_id = NULL, ip_address = NULL, params = params - 'name'
       WHERE type = 'user.deactivated'`,
    );
    expect(await listEntries('user.deactivated')).toMatchObject([
      { actor_id: null, subject_id: null, ip_address: null, params: { plan: 'free' } },
    ]);
  });
});
