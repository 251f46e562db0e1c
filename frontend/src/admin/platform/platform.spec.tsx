import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';

const admin = makeUser({ role: 'admin' });
const abilities = {
  activate: false,
  deactivate: true,
  changeRole: true,
  changePlan: true,
  endSessions: true,
  sendReset: true,
  changeEmail: true,
  resetFactors: true,
  delete: true,
};
const user = {
  id: 7,
  email: 'nur@example.org',
  firstName: 'Nur',
  lastName: 'Kaya',
  username: 'nur',
  role: 'user',
  isSuperAdmin: false,
  emailVerified: true,
  state: 'active',
  plan: 'free',
  zoneCount: 2,
  can: abilities,
  createdAt: '2026-11-01T10:00:00.000Z',
  deactivatedAt: null,
};
const userDetails = {
  language: 'en',
  timeZone: null,
  subscribedPlan: 'free',
  grantedPlan: null,
  invitesADay: 100,
  hasSubscription: false,
  subscription: null,
  stripeUrl: null,
  hasFactor: false,
  sessions: 1,
  lastSeenAt: null,
  memberships: 0,
  usage: [{ metric: 'zones', used: 2, allowed: 5, warning: null }],
};
const job = {
  id: 5,
  queue: 'mail',
  name: 'auth.send-password-reset',
  payload: { userId: 7 },
  state: 'dead',
  attempts: 10,
  maxAttempts: 10,
  runAt: '2026-11-01T10:00:00.000Z',
  createdAt: '2026-11-01T10:00:00.000Z',
  lastError: 'The mail server is away',
};

const openAdmin = async (path: string, responses: Parameters<typeof mockApi>[0]) => {
  const server = mockApi({ 'GET /api/user': [200, admin], ...responses });
  return { server, ...(await renderApp(`/admin/${path}`)) };
};

beforeEach(() => localStorage.clear());

/** An installation without a mail server: its emails go to the development mailbox. */
const systemState = {
  version: '0.2.0',
  nodeVersion: 'v24',
  databaseVersion: '18',
  schemaVersion: '145',
  startedAt: '2026-11-22T12:02:00.000Z',
  memoryBytes: 1,
  databaseBytes: 1,
  storedBytes: 1,
  tables: [],
  queues: [],
  storageType: 'local',
  sendsMail: false,
  storage: { state: 'own', freeBytes: 5e9, reserveBytes: 1e9, comparison: null },
  mailServer: { takenAt: '2026-11-22T12:02:00.000Z', refusingSince: null, refusedAt: null, reason: null },
};

describe('Administration', () => {
  it('names the scheduled jobs and their times, and has nothing to retry without jobs', async () => {
    const scheduled = { lastSlot: null, nextSlot: '2026-11-23T00:41:00.000Z', queued: 0, running: 0, dead: 0 };
    await openAdmin('jobs', {
      'GET /api/admin/jobs': [200, []],
      'GET /api/admin/clock-jobs': [
        200,
        [
          { ...scheduled, id: 1, name: 'account.resume-erasures', cron: '41 * * * *' },
          { ...scheduled, id: 2, name: 'files.sweep-objects', cron: '40 3 * * 0' },
        ],
      ],
    });
    expect(await screen.findByText('Resume account deletions')).toBeInTheDocument();
    expect(screen.getByText('Hourly at :41')).toBeInTheDocument();
    expect(screen.getByText('Compare file storage and database')).toBeInTheDocument();
    expect(screen.getByText('Sunday at 03:40')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Retry All Failed Jobs' })).toBeDisabled());
  });

  it('retries a failed job', async () => {
    const { server, user: person } = await openAdmin('jobs', {
      'GET /api/admin/jobs': [200, [job]],
      'GET /api/admin/jobs/5': [200, job],
      'GET /api/admin/clock-jobs': [200, []],
      'POST /api/admin/jobs/5/retry': [204],
    });
    await person.click(await screen.findByRole('link', { name: 'auth.send-password-reset, job 5' }));
    const panel = await screen.findByRole('dialog', { name: 'auth.send-password-reset' });
    expect(panel).toHaveTextContent('The mail server is away');
    await person.click(within(panel).getByRole('button', { name: 'Retry Now' }));
    await waitFor(() => expect(server.callsTo('POST /api/admin/jobs/5/retry')).toHaveLength(1));
    expect(await screen.findByText('Retrying the job')).toBeInTheDocument();
    await waitFor(() => expect(server.callsTo('GET /api/admin/jobs').length).toBeGreaterThan(1));
  });

  it('opens an entry of the audit log by its address, also if the list doesn’t show it', async () => {
    const entry = { id: 9, type: 'plan.granted', params: { plan: 'creator' }, ipAddress: '192.0.2.7' };
    const participants = { actorId: 1, actorEmail: 'root@example.org', subjectId: 7, subjectEmail: 'nur@example.org' };
    const { user: person, router } = await openAdmin('audit-log/9', {
      'GET /api/admin/audit-log': [200, []],
      'GET /api/admin/audit-log/types': [200, []],
      'GET /api/admin/audit-log/9': [200, { ...entry, ...participants, createdAt: user.createdAt }],
    });
    const panel = await screen.findByRole('dialog', { name: 'Plan granted' });
    expect(panel).toHaveTextContent('root@example.org');
    expect(panel).toHaveTextContent('"plan": "creator"');
    await person.click(within(panel).getByRole('button', { name: 'Close' }));
    expect(router.state.location.pathname).toBe('/admin/audit-log');
  });

  it('exports a list as filtered and shows an error when the server returns an error', async () => {
    const createObjectUrl = (URL.createObjectURL = jest.fn(() => 'blob:list'));
    URL.revokeObjectURL = jest.fn();
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const tooManyRequests = errorResponse(429, 'TOO_MANY_REQUESTS', 'Too many files.');
    const { server, user: person } = await openAdmin('users?filter={"state":"active"}', {
      'GET /api/admin/users': [200, [user]],
      'GET /api/admin/users/export': [200, 'id,email'],
    });
    const button = await screen.findByRole('button', { name: 'Download CSV' });
    // The list follows the typed search only after a moment; the export doesn't wait for it.
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: ' nur ' } });
    fireEvent.click(button);
    await waitFor(() => expect(createObjectUrl).toHaveBeenCalledTimes(1));
    const { query } = server.callsTo('GET /api/admin/users/export')[0]!;
    expect([query.get('state'), query.get('q')]).toEqual(['active', 'nur']);
    server.setResponse('GET /api/admin/users/export', tooManyRequests);
    await person.click(button);
    expect(await screen.findByText('Too many files.')).toBeInTheDocument();
    expect(createObjectUrl).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
  });

  it('shows why a user could not be deactivated', async () => {
    const { server, user: person } = await openAdmin('users', {
      'GET /api/admin/users': [200, [user]],
      'GET /api/admin/users/7': [200, { ...user, ...userDetails }],
      'POST /api/admin/users/7/deactivate': errorResponse(403, 'FORBIDDEN', "You don't have permission to do this."),
    });
    expect(await screen.findByText('nur@example.org')).toBeInTheDocument();
    expect(server.callsTo('GET /api/admin/users')[0]!.query.get('sort')).toBe('createdAt');
    await person.click(screen.getByRole('link', { name: 'Open Nur Kaya' }));
    const panel = await screen.findByRole('dialog', { name: 'Nur Kaya' });
    await person.click(await within(panel).findByRole('button', { name: 'Deactivate Nur Kaya' }));
    const confirmDialog = await screen.findByRole('dialog', { name: 'Deactivate Nur Kaya?' });
    await person.click(within(confirmDialog).getByRole('button', { name: 'Deactivate' }));
    expect(await screen.findByText("You don't have permission to do this.")).toBeInTheDocument();
  });

  it('shows super admins a user’s consents page by page, including deleted zones', async () => {
    const LIST_CONSENTS = 'GET /api/admin/users/7/consents';
    const proof = {
      id: 2,
      zoneId: 3,
      zoneName: 'Chemistry',
      zoneDeletedAt: '2026-11-02T10:00:00.000Z',
      method: 'invite',
      consentedAt: '2026-11-01T10:00:00.000Z',
      ipAddress: '192.0.2.7',
      text: 'Yes, write to me.',
    };
    const next = { 'x-total-count': '2', link: '</api/admin/users/7/consents?cursor=c2>; rel="next"' };
    const { server, user: person } = await openAdmin('users', {
      'GET /api/user': [200, makeUser({ role: 'admin', isSuperAdmin: true })],
      'GET /api/admin/users': [200, [user]],
      'GET /api/admin/users/7': [200, { ...user, ...userDetails }],
      [LIST_CONSENTS]: [200, [proof], next],
    });
    await person.click(await screen.findByRole('link', { name: 'Open Nur Kaya' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Nur Kaya' }));
    expect(panel.getByText('Free (default)')).toBeInTheDocument();
    expect(panel.queryByText('Pays through Stripe')).not.toBeInTheDocument();
    const row = (await panel.findByText('Chemistry (zone deleted)')).closest('li')!;
    expect(row).toHaveTextContent(/invitation · 192\.0\.2\.7Yes, write to me\./);
    server.setResponse(LIST_CONSENTS, [200, [{ ...proof, id: 1, zoneName: 'Physics', zoneDeletedAt: null }]]);
    await person.click(panel.getByRole('button', { name: 'Show More' }));
    expect(await panel.findByText('Physics')).toBeInTheDocument();
    expect(server.callsTo(LIST_CONSENTS).at(-1)!.query.get('cursor')).toBe('c2');
    expect(panel.queryByRole('button', { name: 'Show More' })).not.toBeInTheDocument();
  });

  it('changes a user’s email with a reason and shows at the field that it is taken', async () => {
    const route = 'PATCH /api/admin/users/7/email';
    const { server, user: person } = await openAdmin('users', {
      'GET /api/admin/users': [200, [user]],
      'GET /api/admin/users/7': [200, { ...user, ...userDetails }],
      [route]: errorResponse(409, 'EMAIL_TAKEN', 'This address has an account already.'),
    });
    await person.click(await screen.findByRole('link', { name: 'Open Nur Kaya' }));
    const panel = await screen.findByRole('dialog', { name: 'Nur Kaya' });
    await person.click(await within(panel).findByRole('button', { name: 'Change Email' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the Email of Nur Kaya' }));
    const field = dialog.getByLabelText('New email');
    await person.click(dialog.getByRole('button', { name: 'Change the Email' }));
    expect(field).toHaveAccessibleDescription('Please enter a different email address');
    await person.type(field, ' new@example.org');
    await person.type(dialog.getByLabelText(/Reason/), 'Asked by phone');
    await person.click(dialog.getByRole('button', { name: 'Change the Email' }));
    await waitFor(() => expect(field).toHaveAccessibleDescription('This address has an account already.'));
    server.setResponse(route, [200, user]);
    await person.click(dialog.getByRole('button', { name: 'Change the Email' }));
    expect(await screen.findByText('Email changed')).toBeInTheDocument();
    expect(server.callsTo(route).at(-1)!.body).toEqual({ email: 'new@example.org', reason: 'Asked by phone' });
  });

  it('resets a user’s second factors after a confirmation', async () => {
    const route = 'POST /api/admin/users/7/reset-factors';
    const { server, user: person } = await openAdmin('users', {
      'GET /api/admin/users': [200, [user]],
      'GET /api/admin/users/7': [200, { ...user, ...userDetails, hasFactor: true }],
      [route]: [204],
    });
    await person.click(await screen.findByRole('link', { name: 'Open Nur Kaya' }));
    const panel = await screen.findByRole('dialog', { name: 'Nur Kaya' });
    await person.click(await within(panel).findByRole('button', { name: 'Reset Two-Step Sign-In' }));
    const confirmDialog = within(await screen.findByRole('dialog', { name: 'Reset two-step sign-in of Nur Kaya?' }));
    expect(confirmDialog.getByText(/First make sure, by other means than email/)).toBeInTheDocument();
    await person.click(confirmDialog.getByRole('button', { name: 'Reset' }));
    expect(await screen.findByText('Two-step sign-in of Nur Kaya reset')).toBeInTheDocument();
    expect(server.callsTo(route)).toHaveLength(1);
  });

  it.each([
    ['reminds an admin without a second factor', [], true],
    [
      'does not remind an admin who has one',
      [{ id: 1, name: 'Phone', createdAt: user.createdAt, lastUsedAt: null }],
      false,
    ],
  ])('%s', async (_, passkeys, isReminded) => {
    const { server } = await openAdmin('', {
      'GET /api/admin/stats': errorResponse(503, 'DATABASE_AWAY', 'Please try again.'),
      'GET /api/user/factors': [200, { authenticator: null, recoveryCodesLeft: 0, passkeys, required: false }],
    });
    await waitFor(() => expect(server.callsTo('GET /api/user/factors')).toHaveLength(1));
    const querySetUpLink = () => screen.queryByRole('link', { name: 'Set Up' });
    if (isReminded) await waitFor(() => expect(querySetUpLink()).toHaveAttribute('href', '/settings#passkeys'));
    else expect(querySetUpLink()).not.toBeInTheDocument();
  });

  it('shows security events as counts, as a table and filtered by kind', async () => {
    const day = { day: '2026-11-20', failedSignIns: 12, lockOuts: 3, refusedWebhooks: 0, newDevices: 1 };
    const event = {
      id: 4,
      kind: 'sign-in-failed',
      detail: 'password',
      userId: 7,
      userEmail: 'nur@example.org',
      count: 12,
      network: '192.0.2.1',
      firstAt: '2026-11-20T09:00:00.000Z',
      lastAt: '2026-11-20T10:00:00.000Z',
    };
    const { server, user: person } = await openAdmin('security', {
      'GET /api/admin/security/days': [200, [day]],
      'GET /api/admin/security/events': [200, [event]],
    });
    const chart = await screen.findByRole('img', { name: /Security Events by Day/ });
    expect(chart).toHaveAccessibleName(
      'Security Events by Day: Failed sign-ins 12, Lockouts 3, Rejected webhooks 0, New devices 1',
    );
    await person.click(screen.getByRole('button', { name: 'Show as Table' }));
    const table = within(await screen.findByRole('region', { name: 'Chart data' }));
    expect(table.getByRole('row', { name: /Nov 20, 2026 12 3 0 1/ })).toBeInTheDocument();
    expect(await screen.findByText('192.0.2.1')).toBeInTheDocument();
    expect(screen.getByText('Wrong password or unknown email address')).toBeInTheDocument();
    expect(server.callsTo('GET /api/admin/security/events')[0]!.query.get('sort')).toBe('lastAt');
    await person.selectOptions(screen.getByRole('combobox', { name: 'Event' }), 'Lockout');
    await waitFor(() =>
      expect(server.callsTo('GET /api/admin/security/events').at(-1)!.query.get('kind')).toBe('locked-out'),
    );
  });

  it('shows no chart for 30 days without security events', async () => {
    const day = { day: '2026-11-20', failedSignIns: 0, lockOuts: 0, refusedWebhooks: 0, newDevices: 0 };
    await openAdmin('security', {
      'GET /api/admin/security/days': [200, [day]],
      'GET /api/admin/security/events': [200, []],
    });
    expect(await screen.findByText('No events in the last 30 days')).toBeInTheDocument();
    expect(screen.queryByRole('img', { name: /Security Events by Day/ })).not.toBeInTheDocument();
  });

  it('shows the state of storage and email and restores or deletes quarantined objects', async () => {
    const at = '2026-11-22T12:02:00.000Z';
    const comparison = { at, objects: 500, strays: 40, moved: 0, missing: 0, stopped: true };
    const { server, user: person } = await openAdmin('system', {
      'GET /api/admin/system': [
        200,
        {
          ...systemState,
          sendsMail: true,
          storage: { ...systemState.storage, comparison },
          mailServer: { takenAt: at, refusingSince: at, refusedAt: at, reason: 'Connection refused' },
        },
      ],
      'GET /api/admin/quarantine': [200, [{ id: 3, key: 'files/aa/stray', size: 5, foundAt: at, canRestore: true }]],
      'POST /api/admin/quarantine/3/restore': [204],
      'DELETE /api/admin/quarantine/3': [204],
      'GET /readyz': [200, { details: { database: { status: 'up' } } }],
    });
    expect(await screen.findByText(/40 of 500 objects aren’t in the database/)).toBeInTheDocument();
    expect(screen.getByText(/No emails accepted since/)).toBeInTheDocument();
    expect(screen.getByText('Connection refused')).toBeInTheDocument();
    await person.click(await screen.findByRole('button', { name: 'Restore files/aa/stray' }));
    await waitFor(() => expect(server.callsTo('POST /api/admin/quarantine/3/restore')).toHaveLength(1));
    expect(await screen.findByText('Object restored')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Delete files/aa/stray' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete files/aa/stray permanently?' });
    expect(server.callsTo('DELETE /api/admin/quarantine/3')).toHaveLength(0);
    await person.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(server.callsTo('DELETE /api/admin/quarantine/3')).toHaveLength(1));
    expect(await screen.findByText('Object deleted')).toBeInTheDocument();
  });

  it('says when the storage matches the database, and otherwise what differs', async () => {
    const comparison = { at: '2026-11-22T12:02:00.000Z', objects: 28, strays: 0, moved: 0, missing: 0, stopped: false };
    const showSystem = (changes: object) =>
      openAdmin('system', {
        'GET /api/admin/system': [
          200,
          { ...systemState, storage: { ...systemState.storage, comparison: { ...comparison, ...changes } } },
        ],
        'GET /api/admin/quarantine': [200, []],
        'GET /readyz': [200, { details: { database: { status: 'up' } } }],
      });
    const { unmount } = await showSystem({});
    expect(await screen.findByText('Everything in the file storage matches the database.')).toBeInTheDocument();
    unmount();
    await showSystem({ missing: 2 });
    expect(await screen.findByText(/2 files have lost their content/)).toBeInTheDocument();
  });

  it('shows that no email server is configured', async () => {
    await openAdmin('system', {
      'GET /api/admin/system': [200, systemState],
      'GET /api/admin/quarantine': [200, []],
      'GET /readyz': [200, { details: { database: { status: 'up' } } }],
    });
    const facts = within(await screen.findByRole('region', { name: 'Email Server' }));
    expect(facts.getByText('Not set up')).toBeVisible();
    expect(facts.queryByText('Accepts emails')).not.toBeInTheDocument();
  });

  it.each([
    ['en', 'Versions'],
    ['tr', 'Sürümler'],
  ] as const)('shows the versions of Zonary, Node.js and PostgreSQL (%s)', async (language, title) => {
    mockApi({
      'GET /api/user': [200, makeUser({ role: 'admin', language })],
      'GET /api/admin/system': [200, systemState],
      'GET /api/admin/quarantine': [200, []],
      'GET /readyz': [200, { details: { database: { status: 'up' } } }],
    });
    await renderApp('/admin/system', { language });
    const versions = within(await screen.findByRole('region', { name: title }));
    const getValue = (name: string) => versions.getByText(name, { selector: 'dt' }).nextElementSibling;
    expect(getValue('Zonary')).toHaveTextContent('0.2.0');
    expect(getValue('Node.js')).toHaveTextContent('v24');
    expect(getValue('PostgreSQL')).toHaveTextContent('18');
  });
});
