import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { sampleUsage } from '../../../../test/billing';
import { makeDashboardStats } from '../../../../test/dashboard-stats';
import { renderApp } from '../../../../test/render';
import type { Schema } from '../../../shared/api/client';

const zone = (changes: Partial<Schema<'HomeZoneDto'>> = {}): Schema<'HomeZoneDto'> => ({
  id: 7,
  name: 'Watercolour course',
  description: '',
  owner: { name: 'Grace Hopper', profileImageUrl: null },
  memberRole: 'member',
  memberExpiresAt: null,
  newFiles: 3,
  lastFileAt: '2026-11-20T10:00:00.000Z',
  ...changes,
});
const file = (id: number, name: string, folderId: number | null, view: boolean) => ({
  id,
  name,
  zoneId: 7,
  zoneName: 'Watercolour course',
  folderId,
  createdAt: '2026-11-20T10:00:00.000Z',
  can: { view },
});
const invitation = {
  id: 4,
  zoneName: 'Pottery',
  inviterName: 'Ada Lovelace',
  requiresEmailOptin: false,
  consentText: 'I agree to receive all emails',
  expiresAt: '2026-12-20T10:00:00.000Z',
};
const home = {
  zones: [zone()],
  continueReading: [] as Schema<'UnfinishedDocumentDto'>[],
  recentFiles: [file(1, 'Lesson.pdf', 3, true), file(2, 'Brushes.zip', null, false)],
};

const member = makeUser({ zoneCount: 0, sharedZoneCount: 1 });
const mockServer = (user = member, more: Record<string, MockResponse> = {}) =>
  mockApi({
    'GET /api/user': [200, user],
    'GET /api/home': [200, { ...home, invitations: [] }],
    'GET /api/user/usage': [200, sampleUsage],
    'GET /api/dashboard/stats': [200, makeDashboardStats({})],
    'GET /api/dashboard/activity': [200, []],
    'GET /api/dashboard/attention': [200, []],
    'GET /api/zones': [200, []],
    ...more,
  });

beforeEach(() => localStorage.clear());

const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('Member home', () => {
  it('shows their zones with owner and new files, and the most recent files', async () => {
    mockServer(member, {
      'GET /api/home': [
        200,
        { ...home, zones: [zone(), zone({ id: 8, newFiles: 0 }), zone({ id: 9, newFiles: 100 })], invitations: [] },
      ],
    });
    await renderApp('/');
    await findHeading('Dashboard');
    const zones = within(await screen.findByRole('region', { name: 'Your Zones' }));
    const rows = zones.getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent('Watercolour courseby Grace Hopper · last file');
    const newCounts = rows.map((row) => within(row).queryByText(/ new$/)?.textContent);
    expect(newCounts).toEqual(['3 new', undefined, '99+ new']);
    expect(within(rows[0]!).getByRole('link')).toHaveAttribute('href', '/zones/7');
    const files = within(screen.getByRole('region', { name: 'Recent Files' })).getAllByRole('link');
    expect(files.map((link) => link.getAttribute('href'))).toEqual(['/zones/7/files/1', '/zones/7?item=file-2']);
    expect(screen.queryByRole('region', { name: 'You Are Invited' })).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Continue Reading' })).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it.each([
    ['en', 'Continue Reading', 'page 12 of 30'],
    ['tr', 'Okumaya Devam Edin', 'sayfa 12 / 30'],
  ] as const)('links to the pages at which they stopped reading: %s', async (language, title, place) => {
    const document = {
      id: 12,
      name: 'Course.pdf',
      zoneId: 7,
      zoneName: 'Watercolour course',
      page: 12,
      pageCount: 30,
      thumbnailUrl: '/api/files/12/thumbnail',
      readAt: '2026-11-20T10:00:00.000Z',
    };
    const continueReading = [document, { ...document, id: 13, thumbnailUrl: null }];
    mockServer({ ...member, language }, { 'GET /api/home': [200, { ...home, continueReading, invitations: [] }] });
    await renderApp('/', { language });
    const rows = within(await screen.findByRole('region', { name: title })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual(
      Array.from({ length: 2 }, () => `Course.pdfWatercolour course · ${place}`),
    );
    expect(within(rows[0]!).getByRole('link')).toHaveAttribute('href', '/zones/7/files/12?page=12');
    const image = rows[0]!.querySelector('img')!;
    expect(image).toHaveAttribute('src', '/api/files/12/thumbnail');
    fireEvent.error(image);
    expect(rows.map((row) => row.querySelector('img'))).toEqual([null, null]);
  });

  it('hides plans, limits and own zones but links to creating a zone', async () => {
    const server = mockServer();
    await renderApp('/');
    expect(await screen.findByRole('link', { name: 'Create Zone' })).toHaveAttribute('href', '/zones?create=zone');
    const entries = within(screen.getByRole('navigation', { name: 'Main navigation' })).getAllByRole('link');
    expect(entries.map((link) => link.getAttribute('href'))).toEqual([
      ...['/', '/zones', '/shared-zones', '/feature-suggestions', '/settings', '/home'],
    ]);
    expect(entries[0]).toHaveTextContent('Dashboard');
    const banner = within(screen.getByRole('banner'));
    expect(banner.queryByText('Free')).not.toBeInTheDocument();
    expect(banner.queryByRole('link')).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Account Summary' })).not.toBeInTheDocument();
    expect(screen.queryByRole('group', { name: 'Start page' })).not.toBeInTheDocument();
    expect(server.callsTo('GET /api/user/usage')).toHaveLength(0);
  });

  it('is the dashboard without usage warnings for users without any zone', async () => {
    mockServer(makeUser({ zoneCount: 0 }), {
      'GET /api/user/usage': [200, sampleUsage.map((usage) => ({ ...usage, warning: 100 }))],
    });
    await renderApp('/');
    await findHeading('Dashboard');
    await screen.findByText('No recent activity');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(within(screen.getByRole('banner')).queryByText('Free')).not.toBeInTheDocument();
  });

  it.each(['/', '/dashboard'])('is shown to users who are only invited, at %s', async (path) => {
    const server = mockServer(makeUser({ zoneCount: 0, isOnlyInvited: true }), {
      'GET /api/home': [200, { zones: [], continueReading: [], recentFiles: [], invitations: [invitation] }],
    });
    await renderApp(path);
    await findHeading('Dashboard');
    expect(await screen.findByText(/Pottery/)).toBeInTheDocument();
    expect(server.callsTo('GET /api/dashboard/stats')).toEqual([]);
  });

  it('replaces the dashboard for members, but not for users who also own zones', async () => {
    mockServer();
    const { unmount } = await renderApp('/dashboard');
    await findHeading('Dashboard');
    unmount();
    localStorage.setItem('zonary.firstPage', 'reading');
    mockServer(makeUser({ zoneCount: 1, sharedZoneCount: 1 }));
    await renderApp('/dashboard');
    await findHeading('Dashboard');
  });

  it('shows the plan to paying members', async () => {
    mockServer(makeUser({ zoneCount: 0, sharedZoneCount: 1, plan: 'creator' }));
    await renderApp('/');
    await findHeading('Dashboard');
    expect(within(screen.getByRole('banner')).getByText('Creator')).toBeInTheDocument();
  });

  it('shows an error when loading fails and can be retried', async () => {
    const server = mockServer(member, { 'GET /api/home': [503] });
    const { user } = await renderApp('/');
    const retry = await screen.findByRole('button', { name: 'Try Again' });
    server.setResponse('GET /api/home', [200, { ...home, invitations: [] }]);
    await user.click(retry);
    expect(await screen.findByRole('region', { name: 'Your Zones' })).toBeInTheDocument();
  });
});

describe('Open invitation on the home page', () => {
  const path = 'POST /api/user/invitations/4/accept';
  const invitationResponse = (changes: object = {}): MockResponse => [
    200,
    { ...home, invitations: [{ ...invitation, ...changes }] },
  ];
  const findAcceptButton = () => screen.findByRole('button', { name: 'Accept the invitation to Pottery' });

  it('is accepted with one button without implying consent', async () => {
    const server = mockServer(member, { 'GET /api/home': invitationResponse(), [path]: [200, { zoneId: 12 }] });
    const { user, address } = await renderApp('/');
    expect(await screen.findByText('Ada Lovelace invites you.')).toBeInTheDocument();
    await user.click(await findAcceptButton());
    await waitFor(() => expect(address()).toBe('/zones/12'));
    expect(server.callsTo(path).map(({ body }) => body)).toEqual([{ emailConsent: false }]);
  });

  it('sends the consent that is ticked or required by the zone', async () => {
    const server = mockServer(member, { 'GET /api/home': invitationResponse(), [path]: [200, { zoneId: 12 }] });
    const first = await renderApp('/');
    await first.user.click(await screen.findByRole('checkbox', { name: invitation.consentText }));
    await first.user.click(await findAcceptButton());
    await waitFor(() => expect(server.callsTo(path)[0]?.body).toEqual({ emailConsent: true }));
    first.unmount();
    const secondServer = mockServer(member, {
      'GET /api/home': invitationResponse({ requiresEmailOptin: true }),
      [path]: [200, { zoneId: 12 }],
    });
    const second = await renderApp('/');
    expect(await screen.findByText(/By accepting you agree/)).toHaveTextContent(invitation.consentText);
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    await second.user.click(await findAcceptButton());
    await waitFor(() => expect(secondServer.callsTo(path)[0]?.body).toEqual({ emailConsent: true }));
  });

  it('disappears with a reason when it was withdrawn in the meantime', async () => {
    const server = mockServer(member, {
      'GET /api/home': invitationResponse(),
      [path]: errorResponse(404, 'INVITATION_NOT_FOUND', 'This invitation no longer exists.'),
    });
    const { user } = await renderApp('/');
    const button = await findAcceptButton();
    server.setResponse('GET /api/home', [200, { ...home, invitations: [] }]);
    await user.click(button);
    expect(await screen.findByText('This invitation no longer exists.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('region', { name: 'You Are Invited' })).not.toBeInTheDocument());
  });
});

describe('Users who own zones and read others', () => {
  const ownerAndMember = makeUser({ zoneCount: 1, sharedZoneCount: 2 });

  it('switch the start page with one click, which is remembered', async () => {
    localStorage.setItem('zonary.firstPage', 'creating');
    mockServer(ownerAndMember);
    const { user, address } = await renderApp('/settings');
    const choice = within(await screen.findByRole('group', { name: 'Start page' }));
    expect(choice.getByRole('button', { name: 'Creating' })).toHaveAttribute('aria-pressed', 'true');
    await user.click(choice.getByRole('button', { name: 'Reading' }));
    expect(await findHeading('Dashboard')).toBeInTheDocument();
    expect(address()).toBe('/');
    expect(screen.queryByRole('link', { name: 'Create Zone' })).not.toBeInTheDocument();
    expect(localStorage.getItem('zonary.firstPage')).toBe('reading');
    await user.click(choice.getByRole('button', { name: 'Creating' }));
    expect(await findHeading('Dashboard')).toBeInTheDocument();
  });

  it('start on the page they used last', async () => {
    localStorage.setItem('zonary.firstPage', 'reading');
    mockServer(ownerAndMember);
    await renderApp('/');
    expect(await findHeading('Dashboard')).toBeInTheDocument();
    expect(within(screen.getByRole('banner')).getByText('Free')).toBeInTheDocument();
  });
});
