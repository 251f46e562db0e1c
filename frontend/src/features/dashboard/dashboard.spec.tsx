import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, makeUser, type MockResponse } from '../../../test/api';
import { makeDashboardStats, makeTrend } from '../../../test/dashboard-stats';
import { makeInstallation } from '../../../test/installation';
import { makeZone } from '../../../test/zones';
import { renderApp } from '../../../test/render';

type OpenSteps = ('purpose' | 'mail')[];

const trends = {
  zones: makeTrend(0, 0),
  files: makeTrend(3, 150),
  members: makeTrend(null, null),
  downloads: makeTrend(-4, -12.5),
};

async function renderDashboard(more: Record<string, MockResponse> = {}, language: 'en' | 'tr' = 'en') {
  const server = mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/dashboard/stats': [200, makeDashboardStats({ totalFiles: 5, trends })],
    'GET /api/dashboard/activity': [200, []],
    'GET /api/dashboard/attention': [200, []],
    'GET /api/zones': [200, []],
    ...more,
  });
  return { server, ...(await renderApp('/dashboard', { language })) };
}

describe('Dashboard', () => {
  it('shows how the figures have changed', async () => {
    await renderDashboard();
    const cards = within(await screen.findByLabelText('Statistics'));
    expect(await cards.findByText('Same as 30 days ago')).toBeVisible();
    expect(cards.getByText('+3 (+150%) in 30 days')).toBeVisible();
    expect(cards.getByText('No data for 30 days yet')).toBeVisible();
    expect(cards.getByText('−4 (−12.5%) vs. the previous 30 days')).toBeVisible();
  });

  describe('for a super admin with an unfinished setup', () => {
    const superAdmin: MockResponse = [200, makeUser({ isSuperAdmin: true })];
    const installation = (...setupLeft: OpenSteps): MockResponse => [200, makeInstallation({}, { setupLeft })];
    const installationRoute = 'GET /api/admin/installation';
    const notice = 'The setup of this site isn’t finished.';
    beforeEach(() => localStorage.clear());

    it('links to the setup until the notice is dismissed', async () => {
      const responses = { 'GET /api/user': superAdmin, [installationRoute]: installation('mail') };
      const { user, unmount } = await renderDashboard(responses);
      expect(await screen.findByText(notice)).toBeVisible();
      expect(screen.getByRole('link', { name: 'Continue the Setup' })).toHaveAttribute('href', '/setup');
      await user.click(screen.getByRole('button', { name: 'Close this notice' }));
      expect(screen.queryByText(notice)).not.toBeInTheDocument();
      unmount();
      await renderDashboard(responses);
      await screen.findByText('Same as 30 days ago');
      expect(screen.queryByText(notice)).not.toBeInTheDocument();
    });

    it('shows no setup notice once the setup is complete, or to other users', async () => {
      for (const [user, setupLeft, calls] of [
        [superAdmin, [], 1],
        [[200, makeUser()], ['mail'], 0],
      ] as [MockResponse, OpenSteps, number][]) {
        const { server, unmount } = await renderDashboard({
          'GET /api/user': user,
          [installationRoute]: installation(...setupLeft),
        });
        await screen.findByText('Same as 30 days ago');
        await waitFor(() => expect(server.callsTo(installationRoute)).toHaveLength(calls));
        expect(screen.queryByText(notice)).not.toBeInTheDocument();
        unmount();
      }
    });
  });

  it('stays visible while a failed part is reloaded', async () => {
    const slow = Promise.withResolvers<MockResponse>();
    const { server, user } = await renderDashboard({ 'GET /api/zones': [500] });
    await screen.findByText('Same as 30 days ago');
    server.setResponse('GET /api/zones', () => slow.promise);
    await user.click(await screen.findByRole('button', { name: 'Try Again' }));
    await waitFor(() => expect(server.callsTo('GET /api/zones').length).toBeGreaterThan(1));
    expect(screen.getByText('Same as 30 days ago')).toBeVisible();
    slow.resolve([200, []]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Try Again' })).not.toBeInTheDocument());
  });

  it('hides the attention section when there is nothing to attend to', async () => {
    await renderDashboard();
    await screen.findByText('Same as 30 days ago');
    expect(screen.queryByRole('heading', { name: 'Needs Your Attention' })).not.toBeInTheDocument();
  });

  it('links to everything that needs attention', async () => {
    const item = (kind: string, count: number, more: object = {}) => ({
      kind,
      count,
      zoneId: 7,
      zoneName: 'Yoga',
      campaignId: null,
      campaignName: null,
      ...more,
    });
    await renderDashboard({
      'GET /api/dashboard/attention': [
        200,
        [
          item('join_requests', 2),
          item('waiting_orders', 1),
          item('failed_orders', 2),
          item('failed_mails', 3, { campaignId: 4, campaignName: 'News of {{zone_name}} for {{first_name|friends}}' }),
          item('paused_campaign', 1, { campaignId: 5, campaignName: 'Spring' }),
        ],
      ],
    });
    const panel = within(await screen.findByRole('region', { name: 'Needs Your Attention' }));
    expect(panel.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['2 people want to joinYoga', '/zones/7/members'],
      ['1 purchase is waiting for room in the zoneYoga', '/pricing'],
      ['2 purchases couldn’t be processed; the administrators have been notifiedYoga', '/zones/7/members'],
      ['3 emails couldn’t be deliveredNews of Yoga for friends · Yoga', '/campaigns/4'],
      ['A campaign was paused automaticallySpring · Yoga', '/campaigns/5'],
    ]);
  });
});

describe('Onboarding checklist', () => {
  const nothing = { closed: false, zone: false, file: false, visitorPreview: false, link: false, reader: false };
  const title = 'Get Your First Member';
  const list = async () => within(await screen.findByRole('region', { name: title }));
  const noFigures = { 'GET /api/dashboard/stats': [200, makeDashboardStats()] } as const;

  it('links to the open steps and hides the statistics while all are 0', async () => {
    await renderDashboard({ ...noFigures, 'GET /api/dashboard/start': [200, nothing] });
    const rows = (await list()).getAllByRole('listitem');
    expect(rows).toHaveLength(5);
    expect(rows[0]).toHaveTextContent('Create a zone (to do)');
    const links = within(rows[0]!.parentElement!).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/zones?create=zone', '/dashboard?do=upload']);
    expect(screen.queryByLabelText('Statistics')).not.toBeInTheDocument();
  });

  it('marks steps as done and saves that the link was copied', async () => {
    const server = serveOnboarding({ ...nothing, zone: true, file: true });
    const { user } = await renderApp('/dashboard');
    const rows = (await list()).getAllByRole('listitem');
    expect(rows[1]).toHaveTextContent('Add files (done)');
    expect(within(rows[2]!).getByRole('link')).toHaveAttribute('href', '/zones/7/visitor');
    await user.click(within(rows[3]!).getByRole('button', { name: 'Copy' }));
    await waitFor(() => expect(rows[3]).toHaveTextContent('Copy the link (done)'));
    expect(server.callsTo('POST /api/dashboard/start').map(({ body }) => body)).toEqual([{ step: 'link' }]);
  });

  it('links to creating a link when the zone has none', async () => {
    const server = serveOnboarding({ ...nothing, zone: true, file: true });
    server.setResponse('GET /api/zones', [200, [makeZone({ type: 'private', publicLink: null })]]);
    await renderApp('/dashboard');
    const rows = (await list()).getAllByRole('listitem');
    expect(await within(rows[3]!).findByRole('link', { name: 'Share' })).toHaveAttribute('href', '/zones/7/share');
    expect(within(rows[3]!).queryByRole('button')).not.toBeInTheDocument();
    expect(within(rows[4]!).queryByRole('link')).not.toBeInTheDocument();
  });

  it('disappears when it is closed', async () => {
    const server = serveOnboarding(nothing);
    const { user } = await renderApp('/dashboard');
    await user.click((await list()).getByRole('button', { name: 'Hide This List' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: title })).not.toBeInTheDocument());
    expect(server.callsTo('POST /api/dashboard/start').map(({ body }) => body)).toEqual([{ step: 'closed' }]);
  });

  it('is shown once when complete and then closes itself permanently', async () => {
    const all = { ...nothing, zone: true, file: true, visitorPreview: true, link: true, reader: true };
    const server = serveOnboarding(all);
    await renderApp('/dashboard');
    expect((await list()).getByRole('status')).toHaveTextContent(/^Done: your first member/);
    await waitFor(() => expect(server.callsTo('POST /api/dashboard/start')).toHaveLength(1));
    expect(server.callsTo('POST /api/dashboard/start')[0]!.body).toEqual({ step: 'closed' });
    expect((await list()).queryByRole('button')).not.toBeInTheDocument();
  });

  it('is hidden from users who have closed it', async () => {
    serveOnboarding({ ...nothing, closed: true, zone: true, reader: true });
    await renderApp('/dashboard');
    await screen.findByText('Same as 30 days ago');
    expect(screen.queryByRole('region', { name: title })).not.toBeInTheDocument();
  });

  function serveOnboarding(status: typeof nothing) {
    const server = mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/dashboard/stats': [200, makeDashboardStats({ totalFiles: 5, trends })],
      'GET /api/dashboard/activity': [200, []],
      'GET /api/dashboard/attention': [200, []],
      'GET /api/zones': [200, [makeZone()]],
      'GET /api/dashboard/start': [200, status],
      'POST /api/dashboard/start': async (request) => {
        const { step } = (await request.json()) as { step: string };
        return [200, { ...status, [step]: true }];
      },
    });
    return server;
  }
});
