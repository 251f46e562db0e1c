import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, refusal, someone } from '../../../test/api';
import { renderProduct } from '../../../test/render';

const admin = someone({ role: 'admin' });
const can = {
  ...{ activate: false, deactivate: true, changeRole: true, changePlan: true, endSessions: true, sendReset: true },
};
const user = {
  ...{ id: 7, email: 'nur@example.org', firstName: 'Nur', lastName: 'Kaya', username: 'nur', role: 'user' },
  ...{ isSuperAdmin: false, emailVerified: true, state: 'active', plan: 'free', zoneCount: 2, can },
  ...{ createdAt: '2026-11-01T10:00:00.000Z', deactivatedAt: null },
};
const figures = {
  ...{ language: 'en', timeZone: null, subscribedPlan: 'free', grantedPlan: null, hasSubscription: false },
  ...{
    sessions: 1,
    lastSeenAt: null,
    memberships: 0,
    usage: [{ metric: 'zones', used: 2, allowed: 5, warning: null }],
  },
};
const job = {
  ...{ id: 5, queue: 'mail', name: 'auth.send-password-reset', payload: { userId: 7 }, state: 'dead', attempts: 10 },
  ...{ maxAttempts: 10, runAt: '2026-11-01T10:00:00.000Z', createdAt: '2026-11-01T10:00:00.000Z' },
  lastError: 'The mail server is away',
};

const open = async (path: string, calls: Parameters<typeof pretendApi>[0]) => {
  const server = pretendApi({ 'GET /api/user': [200, admin], ...calls });
  return { server, ...(await renderProduct(`/admin/${path}`)) };
};

beforeEach(() => localStorage.clear());

describe('the administration', () => {
  it('retries a job that gave up', async () => {
    const { server, user: person } = await open('jobs', {
      'GET /api/admin/jobs': [200, [job]],
      'GET /api/admin/clock-jobs': [200, []],
      'POST /api/admin/jobs/5/retry': [204],
    });
    await person.click(await screen.findByRole('button', { name: 'auth.send-password-reset, job 5' }));
    const panel = await screen.findByRole('dialog', { name: 'auth.send-password-reset' });
    expect(panel).toHaveTextContent('The mail server is away');
    await person.click(within(panel).getByRole('button', { name: 'Retry now' }));
    await waitFor(() => expect(server.callsOf('POST /api/admin/jobs/5/retry')).toHaveLength(1));
    expect(await screen.findByText('The job is tried again')).toBeInTheDocument();
    await waitFor(() => expect(server.callsOf('GET /api/admin/jobs').length).toBeGreaterThan(1));
  });

  it('shows why somebody could not be deactivated', async () => {
    const { server, user: person } = await open('users', {
      'GET /api/admin/users': [200, [user]],
      'GET /api/admin/users/7': [200, { ...user, ...figures }],
      'POST /api/admin/users/7/deactivate': refusal(403, 'FORBIDDEN', 'You are not allowed to do this.'),
    });
    expect(await screen.findByText('nur@example.org')).toBeInTheDocument();
    expect(server.callsOf('GET /api/admin/users')[0]!.query.get('sort')).toBe('createdAt');
    await person.click(screen.getByRole('button', { name: 'Open Nur Kaya' }));
    const panel = await screen.findByRole('dialog', { name: 'Nur Kaya' });
    await person.click(await within(panel).findByRole('button', { name: 'Deactivate Nur Kaya' }));
    const question = await screen.findByRole('dialog', { name: 'Deactivate Nur Kaya?' });
    await person.click(within(question).getByRole('button', { name: 'Deactivate' }));
    expect(await screen.findByText('You are not allowed to do this.')).toBeInTheDocument();
  });
});
