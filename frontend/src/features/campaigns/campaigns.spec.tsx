import { act, screen, waitFor, within } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';
import { currentUserKey } from '../../shared/api/current-user';

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
const counts = {
  recipientCount: 0,
  deliveredCount: 0,
  keptCount: 0,
  failedCount: 0,
  skippedCount: 0,
  cancelledCount: 0,
  pendingCount: 0,
  openCount: 0,
  clickCount: 0,
};
const at = '2026-05-01T10:00:00.000Z';
const campaign = (changes: object = {}) => ({
  id: 3,
  kind: 'campaign',
  status: 'draft',
  name: 'Spring',
  subject: 'Hello',
  zoneId: 7,
  zoneName: 'Watercolour course',
  targetAudience: 'all',
  trackingEnabled: true,
  sentById: 1,
  failure: null,
  scheduledAt: null,
  timeZone: null,
  startedAt: null,
  sentAt: null,
  createdAt: at,
  updatedAt: at,
  htmlContent: '<table><tr><td>Hi</td></tr></table>',
  textContent: null,
  ...counts,
  can: { ...can, edit: true, send: true, schedule: true, delete: true },
  ...changes,
});
const quota = { unlimited: false, emailsSent: 40, quotaLimit: 100, remaining: 60, monthYear: '2026-05', resetsAt: at };
const preview = {
  totalMembers: 12,
  audienceMembers: 12,
  recipientCount: 10,
  withoutConsent: 2,
  unreachable: 0,
  quota,
  fitsQuota: true,
  fromName: 'Studio',
  replyTo: 'deniz@example.org',
  hasPostalAddress: false,
};
const report = (changes: object = {}) => ({
  id: 3,
  name: 'Spring',
  subject: 'Hello',
  status: 'sending',
  startedAt: at,
  sentAt: null,
  trackingEnabled: true,
  failures: [],
  links: [],
  overTime: [],
  machineEvents: 0,
  ...counts,
  recipientCount: 10,
  deliveredCount: 4,
  pendingCount: 6,
  ...changes,
});
const sending = campaign({
  status: 'sending',
  recipientCount: 10,
  deliveredCount: 4,
  pendingCount: 6,
  can: { ...can, pause: true, cancel: true, seeReport: true },
});

function mockServer(more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones': [200, [makeZone()]],
    'GET /api/zones/7/send-preview': [200, preview],
    'GET /api/campaigns/3/send-preview': [200, preview],
    'GET /api/user/email-quota': [200, quota],
    'GET /api/campaigns': [200, [campaign(), campaign({ ...sending, id: 4, name: 'Summer' })]],
    'GET /api/campaigns/3': [200, campaign()],
    'GET /api/campaigns/3/report': [200, report()],
    ...more,
  });
}

beforeEach(() => {
  sessionStorage.clear();
  // jsdom can't submit forms into frames.
  jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

describe('Campaign list', () => {
  it('lists campaigns with the remaining quota and filters them by status', async () => {
    mockServer();
    const { user } = await renderApp('/campaigns');
    const table = await screen.findByRole('table', { name: 'Campaigns' });
    expect(within(table).getAllByRole('row')).toHaveLength(3);
    expect(await screen.findByText('40 of 100 emails sent')).toBeInTheDocument();
    await user.selectOptions(screen.getByLabelText('Status'), 'sending');
    expect(within(table).getAllByRole('row')).toHaveLength(2);
    expect(within(table).getByText('Summer')).toBeInTheDocument();
  });

  it('uses the singular for one sent email', async () => {
    const quota = { quotaLimit: null, remaining: null, emailsSent: 1, resetsAt: '2026-12-01T00:00:00.000Z' };
    mockServer({ 'GET /api/user/email-quota': [200, quota] });
    await renderApp('/campaigns');
    expect(await screen.findByText('1 email sent, no limit')).toBeInTheDocument();
  });

  it('shows an empty state when there are no campaigns', async () => {
    mockServer({ 'GET /api/campaigns': [200, []] });
    await renderApp('/campaigns');
    expect(await screen.findByText('No campaigns yet')).toBeInTheDocument();
  });
});

describe('Campaign draft', () => {
  it('starts by creating a zone when the user has none', async () => {
    const server = mockServer({
      'GET /api/zones': [200, []],
      'POST /api/zones': () => {
        server.setResponse('GET /api/zones', [200, [makeZone()]]);
        return [201, makeZone()];
      },
    });
    const { user, address } = await renderApp('/campaigns/new');
    expect(await screen.findByLabelText('Zone name')).toHaveValue('My First Zone');
    await user.click(screen.getByRole('button', { name: 'Create and Write' }));
    expect(await screen.findByLabelText('Campaign name')).toBeInTheDocument();
    expect(screen.getByLabelText('Zone')).toHaveDisplayValue('Watercolour course');
    expect(address()).toBe('/campaigns/new?zone=7');
    expect(server.callsTo('POST /api/zones')).toHaveLength(1);
  });

  it('names the empty required fields and sends nothing', async () => {
    const server = mockServer();
    const { user } = await renderApp('/campaigns/new?zone=7');
    await user.click(await screen.findByRole('button', { name: 'HTML' }));
    await user.type(screen.getByLabelText('Campaign name'), 'Spring');
    await user.click(screen.getByRole('button', { name: 'Send Campaign' }));
    expect(await screen.findByText('Please fill in all required fields')).toBeInTheDocument();
    expect(screen.getByText('Please fill in both subject and content fields.')).toBeInTheDocument();
    expect(screen.getByLabelText('Subject line')).toHaveAccessibleDescription('Please enter a subject line');
    expect(server.calls.filter(({ route }) => route.startsWith('POST'))).toEqual([]);
  });

  it('is saved automatically, named after its subject and created only once', async () => {
    const server = mockServer({ 'POST /api/campaigns': [201, campaign({ subject: 'Hi', htmlContent: '<b>Hi</b>' })] });
    const { user, address } = await renderApp('/campaigns/new?zone=7');
    await user.click(await screen.findByRole('button', { name: 'HTML' }));
    await user.type(screen.getByLabelText('Subject line'), 'Hi');
    await user.type(screen.getByLabelText('HTML of the email'), '<b>Hi</b>');
    await waitFor(() => expect(address()).toBe('/campaigns/3'), { timeout: 10_000 });
    expect(server.callsTo('POST /api/campaigns').map(({ body }) => body)).toEqual([
      { zoneId: 7, name: 'Hi', subject: 'Hi', htmlContent: '<b>Hi</b>', targetAudience: 'all', trackingEnabled: true },
    ]);
    expect(screen.getByLabelText('HTML of the email')).toHaveValue('<b>Hi</b>');
  });

  describe('edited during a save', () => {
    const subject = () => screen.getByLabelText('Subject line');
    const storedDraft = () => sessionStorage.getItem('zonary.words.1.campaign.3');

    it('keeps the edits when the connection is lost and saves them once it is back', async () => {
      const slow = Promise.withResolvers<MockResponse>();
      const server = mockServer({ 'PUT /api/campaigns/3': () => slow.promise });
      const { user } = await renderApp('/campaigns/3');
      await user.type(await screen.findByLabelText('Subject line'), ' you');
      await waitFor(() => expect(server.callsTo('PUT /api/campaigns/3')).toHaveLength(1), { timeout: 10_000 });
      await user.type(subject(), ' there');
      server.setResponse('PUT /api/campaigns/3', () => Promise.reject(new TypeError('Failed to fetch')));
      const saved = campaign({ subject: 'Hello you', updatedAt: '2026-05-01T10:05:00.000Z' });
      slow.resolve([200, saved]);
      expect(await screen.findByText(/^Not saved: /, {}, { timeout: 10_000 })).toBeInTheDocument();
      expect(JSON.parse(storedDraft()!)).toMatchObject({
        wording: { subject: 'Hello you there' },
        base: '2026-05-01T10:05:00.000Z',
      });
      server.setResponse('PUT /api/campaigns/3', [200, { ...saved, subject: 'Hello you there' }]);
      act(() => void dispatchEvent(new Event('online')));
      expect(await screen.findByText('Draft saved', {}, { timeout: 10_000 })).toBeInTheDocument();
      expect(storedDraft()).toBeNull();
    });

    it('resumes saving after the user has signed in again', async () => {
      const server = mockServer({ 'PUT /api/campaigns/3': notSignedInResponse });
      const { user, queries } = await renderApp('/campaigns/3');
      await user.type(await screen.findByLabelText('Subject line'), ' you');
      await waitFor(() => expect(server.callsTo('PUT /api/campaigns/3')).toHaveLength(1), { timeout: 10_000 });
      expect(await screen.findByText(/^Not saved: /)).toBeInTheDocument();
      server.setResponse('PUT /api/campaigns/3', [200, campaign({ subject: 'Hello you' })]);
      act(() => void queries.setQueryData(currentUserKey, makeUser()));
      expect(await screen.findByText('Draft saved', {}, { timeout: 10_000 })).toBeInTheDocument();
    });
  });

  it('shows a warning, asks before sending and shows the progress', async () => {
    const server = mockServer({
      'POST /api/campaigns/3/send': () => {
        server.setResponse('GET /api/campaigns/3', [200, sending]);
        return [200, sending];
      },
    });
    const { user } = await renderApp('/campaigns/3');
    expect(await screen.findByText(/10 recipients · 60 of 100 emails left/)).toBeInTheDocument();
    expect(screen.getByText('2 members haven’t agreed to emails and get none.')).toBeInTheDocument();
    expect(screen.getByText(/The email has no postal address/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Send Campaign' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send “Hello”?' }));
    expect(dialog.getByText('You’ll then have 50 of 100 emails left this month.')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Send Now' }));
    expect(await screen.findByText('Campaign sent to 10 members')).toBeInTheDocument();
    expect(await screen.findByText('4 of 10 emails processed')).toBeInTheDocument();
    expect(server.callsTo('POST /api/campaigns/3/send')).toHaveLength(1);
  });

  it('is neither overwritten nor sent when changed in another tab until the user decides', async () => {
    const theirs = campaign({ subject: 'Theirs', updatedAt: '2026-05-01T10:05:00.000Z' });
    const changed = errorResponse(409, 'CAMPAIGN_CHANGED', 'Changed elsewhere.');
    const server = mockServer({ 'PUT /api/campaigns/3': changed, 'POST /api/campaigns/3/send': changed });
    const { user } = await renderApp('/campaigns/3');
    await user.type(await screen.findByLabelText('Subject line'), ' mine');
    expect(await screen.findByText(/This draft was changed elsewhere/, {}, { timeout: 10_000 })).toBeInTheDocument();
    expect(server.callsTo('PUT /api/campaigns/3')).toHaveLength(1);
    expect(server.callsTo('PUT /api/campaigns/3')[0]!.body).toMatchObject({ updatedAt: campaign().updatedAt });
    server.setResponse('GET /api/campaigns/3', [200, theirs]);
    server.setResponse('PUT /api/campaigns/3', [200, { ...theirs, subject: 'Hello mine' }]);
    await user.click(screen.getByRole('button', { name: 'Keep This Version' }));
    await waitFor(() => expect(screen.queryByText(/This draft was changed elsewhere/)).not.toBeInTheDocument());
    expect(server.callsTo('PUT /api/campaigns/3')[1]!.body).toMatchObject({
      subject: 'Hello mine',
      updatedAt: theirs.updatedAt,
    });

    await user.click(screen.getByRole('button', { name: 'Send Campaign' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send Now' }));
    await user.click(await screen.findByRole('button', { name: 'Show the Other Version' }));
    await waitFor(() => expect(screen.getByLabelText('Subject line')).toHaveValue('Theirs'));
    expect(screen.queryByText(/This draft was changed elsewhere/)).not.toBeInTheDocument();
  });

  it('shows why it was not sent', async () => {
    mockServer({
      'POST /api/campaigns/3/send': errorResponse(409, 'NO_RECIPIENTS', 'None of the members can get it.'),
    });
    const { user } = await renderApp('/campaigns/3');
    await user.click(await screen.findByRole('button', { name: 'Send Campaign' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send Now' }));
    expect(await screen.findByText('Failed to Send Campaign')).toBeInTheDocument();
    expect(screen.getByText('None of the members can get it.')).toBeInTheDocument();
  });

  it('can’t be sent to a zone without members', async () => {
    mockServer({ 'GET /api/campaigns/3/send-preview': [200, { ...preview, totalMembers: 0, recipientCount: 0 }] });
    const { user } = await renderApp('/campaigns/3');
    await user.click(await screen.findByRole('button', { name: 'Send Campaign' }));
    expect(await screen.findByText('This zone has no members to send emails to.')).toBeInTheDocument();
  });
});

describe('Campaign composer', () => {
  it('names an unnamed campaign after the subject of the chosen template', async () => {
    const template = { id: null, builtIn: 'welcome', name: 'Welcome', subject: 'Welcome to {{zone_name}}' };
    mockServer({ 'GET /api/email-templates': [200, [{ ...template, htmlContent: '<p>Hi</p>' }]] });
    const { user } = await renderApp('/campaigns/new?zone=7');
    await user.click(await screen.findByRole('button', { name: 'Templates' }));
    await user.click(await screen.findByRole('button', { name: 'Use “Welcome”' }));
    expect(await screen.findByLabelText('Campaign name')).toHaveValue('Welcome to {{zone_name}}');
    expect(screen.getByLabelText('Subject line')).toHaveValue('Welcome to {{zone_name}}');
    // Once cleared, the name follows the subject again; a name typed by the user stays.
    await user.clear(screen.getByLabelText('Campaign name'));
    await user.tab();
    expect(screen.getByLabelText('Campaign name')).toHaveValue('Welcome to {{zone_name}}');
  });

  it('promises no emails and mentions no limit while no email server is configured', async () => {
    mockServer({
      'GET /api/user': [200, makeUser({ emailDelivery: 'none' })],
      'GET /api/campaigns/3': [200, campaign()],
    });
    await renderApp('/campaigns/3');
    expect(await screen.findByRole('button', { name: 'Put Campaign on Hold' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Send Campaign' })).not.toBeInTheDocument();
    expect(await screen.findByText('10 recipients')).toBeInTheDocument();
    expect(screen.queryByText(/left this month/)).not.toBeInTheDocument();
  });

  it.each(['none', 'working'] as const)(
    'warns before scheduling only if no email server is configured (%s)',
    async (state) => {
      mockServer({
        'GET /api/user': [200, makeUser({ emailDelivery: state })],
        'GET /api/campaigns/3': [200, campaign()],
      });
      const { user } = await renderApp('/campaigns/3');
      await user.click(await screen.findByRole('button', { name: 'Schedule' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Schedule the Campaign' }));
      expect(dialog.queryAllByText(/^No email server is set up\. If there’s still none at that time/)).toHaveLength(
        state === 'none' ? 1 : 0,
      );
    },
  );

  it('explains why the audience is empty', async () => {
    const empty = { ...preview, audienceMembers: 0, recipientCount: 0, withoutConsent: 0 };
    mockServer({
      'GET /api/campaigns/3': [200, campaign({ targetAudience: 'older' })],
      'GET /api/campaigns/3/send-preview': [200, empty],
      'GET /api/zones/7/send-preview': [200, empty],
    });
    await renderApp('/campaigns/3');
    expect(await screen.findByText('No members match: nobody joined more than 30 days ago.')).toBeInTheDocument();
  });
});

describe('Campaign being sent', () => {
  it('can be paused and then offers to resume', async () => {
    const paused = campaign({
      ...sending,
      status: 'paused',
      can: { ...can, resume: true, cancel: true, seeReport: true },
    });
    const server = mockServer({
      'GET /api/campaigns/3': [200, sending],
      'POST /api/campaigns/3/pause': () => {
        server.setResponse('GET /api/campaigns/3', [200, paused]);
        server.setResponse('GET /api/campaigns/3/report', [200, report({ status: 'paused' })]);
        return [200, paused];
      },
    });
    const { user } = await renderApp('/campaigns/3');
    await user.click(await screen.findByRole('button', { name: 'Pause' }));
    expect(await screen.findByRole('button', { name: 'Resume Sending' })).toBeInTheDocument();
    expect(server.callsTo('POST /api/campaigns/3/pause')).toHaveLength(1);
  });

  it('shows its name with merge fields filled in when asking to cancel or delete it', async () => {
    const named = { ...sending, name: 'For {{first_name|you}} of {{zone_name}}', zoneName: 'Yoga' };
    mockServer({
      'GET /api/campaigns/3': [200, { ...named, can: { ...can, cancel: true, delete: true, seeReport: true } }],
    });
    const { user } = await renderApp('/campaigns/3');
    await user.click(await screen.findByRole('button', { name: 'Cancel Campaign' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel “For you of Yoga”?' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Delete Draft' }));
    expect(await screen.findByRole('dialog', { name: 'Delete “For you of Yoga”?' })).toBeInTheDocument();
  });

  it('shows why emails failed', async () => {
    const sent = campaign({ status: 'sent', failedCount: 1, can: { ...can, retryFailed: true, seeReport: true } });
    const failures = [{ reason: 'No such mailbox', smtpCode: 550, fault: null, count: 1 }];
    mockServer({
      'GET /api/campaigns/3': [200, sent],
      'GET /api/campaigns/3/report': [200, report({ status: 'sent', failures, pendingCount: 0, failedCount: 1 })],
    });
    await renderApp('/campaigns/3');
    expect(await screen.findByText('No such mailbox')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Retry Failed Emails' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Download CSV' })).toHaveAttribute('href', '/api/campaigns/3/report.csv');
  });

  it('reports held emails as undelivered and sends them only once a mail server is configured', async () => {
    const changes = { status: 'failed', failure: 'NO_MAIL_SERVER', recipientCount: 2, keptCount: 2, pendingCount: 0 };
    const failedCampaign = campaign({ ...changes, can: { ...can, retryFailed: true, seeReport: true } });
    const server = mockServer({
      'GET /api/user': [200, makeUser({ emailDelivery: 'none' })],
      'GET /api/campaigns/3': [200, failedCampaign],
      'GET /api/campaigns/3/report': [200, report({ ...changes, deliveredCount: 0 })],
    });
    const { queries, user } = await renderApp('/campaigns/3');
    expect(await screen.findByText(/2 emails are on hold. Nobody has received them/)).toBeInTheDocument();
    expect(screen.getAllByText('On hold, not sent').length).toBeGreaterThan(0);
    const send = screen.getByRole('button', { name: 'Send Emails on Hold' });
    expect(send).toBeDisabled();
    expect(send.parentElement).toHaveAttribute('title', expect.stringMatching(/^No email server is set up: /));
    server.setResponse('GET /api/user', [200, makeUser({ emailDelivery: 'working' })]);
    await act(() => queries.invalidateQueries());
    await waitFor(() => expect(send).toBeEnabled());
    expect(send.parentElement).not.toHaveAttribute('title');
    await user.click(send);
    await waitFor(() => expect(server.callsTo('POST /api/campaigns/3/retry-failed')).toHaveLength(1));
  });

  it('shows why it was paused automatically and who caused each rejection', async () => {
    const paused = campaign({
      status: 'paused',
      failure: 'SENDER_REFUSED',
      can: { ...can, resume: true, seeReport: true },
    });
    const failures = [
      { reason: '554 5.7.1 Not authorised', smtpCode: 554, fault: 'sender', count: 11 },
      { reason: '550 5.1.1 User unknown', smtpCode: 550, fault: 'reader', count: 1 },
    ];
    mockServer({
      'GET /api/campaigns/3': [200, paused],
      'GET /api/campaigns/3/report': [200, report({ status: 'paused', failures, failedCount: 12 })],
    });
    await renderApp('/campaigns/3');
    expect(await screen.findByText(/^Paused automatically: email servers are rejecting/)).toBeInTheDocument();
    expect(await screen.findByText('Caused by the sender')).toBeInTheDocument();
    expect(screen.getByText('The address doesn’t work')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Resume Sending' })).toBeInTheDocument();
  });
});
