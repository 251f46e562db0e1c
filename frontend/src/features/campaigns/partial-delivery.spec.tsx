import { screen, within } from '@testing-library/react';
import { mockApi, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

const can = {
  edit: false,
  send: false,
  schedule: false,
  unschedule: false,
  pause: false,
  resume: false,
  cancel: false,
  retryFailed: false,
  delete: false,
  seeReport: false,
};
const at = '2026-05-01T10:00:00.000Z';
const campaign = (changes: object) => ({
  id: 3,
  kind: 'campaign',
  name: 'Spring',
  subject: 'Hello',
  zoneId: 7,
  zoneName: 'Watercolour course',
  targetAudience: 'all',
  trackingEnabled: true,
  sentById: 1,
  failure: null,
  isZoneDeleted: false,
  scheduledAt: null,
  timeZone: null,
  startedAt: null,
  sentAt: null,
  createdAt: at,
  updatedAt: at,
  recipientCount: 0,
  deliveredCount: 0,
  keptCount: 0,
  failedCount: 0,
  skippedCount: 0,
  cancelledCount: 0,
  pendingCount: 0,
  openCount: 0,
  clickCount: 0,
  htmlContent: '<p>Hi</p>',
  textContent: null,
  can,
  ...changes,
});
const quota = { unlimited: false, emailsSent: 40, quotaLimit: 100, remaining: 60, monthYear: '2026-05', resetsAt: at };
const preview = {
  totalMembers: 12,
  audienceMembers: 12,
  recipientCount: 10,
  withoutConsent: 0,
  unreachable: 0,
  quota,
  fitsQuota: true,
  fromName: 'Studio',
  replyTo: 'deniz@example.org',
  hasPostalAddress: true,
};
const responses = {
  'GET /api/user': [200, makeUser()] as [number, unknown],
  'GET /api/zones': [200, [makeZone()]] as [number, unknown],
  'GET /api/user/email-quota': [200, quota] as [number, unknown],
  'GET /api/zones/7/send-preview': [200, preview] as [number, unknown],
  'GET /api/campaigns/3/send-preview': [200, preview] as [number, unknown],
};

beforeEach(() => {
  sessionStorage.clear();
  jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

describe('Campaigns not delivered in full', () => {
  it('are never listed as sent when some or all emails were not delivered', async () => {
    const sent = { status: 'sent', recipientCount: 10 };
    mockApi({
      ...responses,
      'GET /api/campaigns': [
        200,
        [
          campaign({ ...sent, deliveredCount: 10 }),
          campaign({ ...sent, id: 4, name: 'Most', deliveredCount: 9, failedCount: 1 }),
          campaign({ ...sent, id: 5, name: 'None', status: 'failed', failedCount: 10, failure: 'ALL_REFUSED' }),
          campaign({ ...sent, id: 6, name: 'Left', skippedCount: 10 }),
          campaign({ ...sent, id: 7, name: 'Kept', keptCount: 10 }),
        ],
      ],
    });
    const { user } = await renderApp('/campaigns');
    const table = within(await screen.findByRole('table', { name: 'Campaigns' }));
    const rowOf = (name: string) => table.getByRole('link', { name }).closest<HTMLElement>('[role="row"]')!;
    expect(within(rowOf('Spring')).getByText('Sent')).toBeInTheDocument();
    expect(within(rowOf('Most')).getByText('Partly Delivered')).toBeInTheDocument();
    for (const name of ['None', 'Left']) {
      expect(within(rowOf(name)).getByText('Not Delivered')).toBeInTheDocument();
      expect(within(rowOf(name)).queryByText('Sent')).not.toBeInTheDocument();
    }
    expect(within(within(rowOf('Kept')).getByTitle('On hold, not sent')).getByText('Not sent')).toBeInTheDocument();
    await user.selectOptions(screen.getByLabelText('Status'), 'notDelivered');
    expect(table.getAllByRole('row')).toHaveLength(3);
    expect(table.queryByText('Spring')).not.toBeInTheDocument();
  });

  it('can be edited, scheduled and sent again after the quota was too low', async () => {
    const failed = campaign({
      status: 'failed',
      failure: 'PLAN_LIMIT',
      can: { ...can, edit: true, send: true, schedule: true, delete: true },
    });
    const sent = campaign({ status: 'sending', recipientCount: 10, pendingCount: 10, can: { ...can, cancel: true } });
    const server = mockApi({
      ...responses,
      'GET /api/campaigns/3': [200, failed],
      'POST /api/campaigns/3/send': () => {
        server.setResponse('GET /api/campaigns/3', [200, sent]);
        return [200, sent];
      },
    });
    const { user } = await renderApp('/campaigns/3');
    expect(await screen.findByText(/you didn’t have enough emails left this month/)).toBeInTheDocument();
    expect(screen.getByLabelText('Subject line')).toHaveValue('Hello');
    expect(screen.getByRole('button', { name: 'Schedule' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Send Again' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send Now' }));
    expect(await screen.findByText('Campaign sent to 10 members')).toBeInTheDocument();
    expect(server.callsTo('POST /api/campaigns/3/send')).toHaveLength(1);
  });

  it('explain a pause caused by many non-existent mailboxes', async () => {
    const paused = campaign({ status: 'paused', failure: 'READERS_REFUSED', can: { ...can, resume: true } });
    mockApi({ ...responses, 'GET /api/campaigns/3': [200, paused] });
    await renderApp('/campaigns/3');
    expect(
      await screen.findByText(/an email server says that a large share of your recipients’ mailboxes don’t exist/),
    ).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Resume Sending' })).toBeInTheDocument();
  });
});
