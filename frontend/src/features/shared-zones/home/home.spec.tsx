import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, refusal, someone, type Answer } from '../../../../test/api';
import { someUsage } from '../../../../test/billing';
import { someStats } from '../../../../test/figures';
import { renderProduct } from '../../../../test/render';
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
  ...{ id, name, zoneId: 7, zoneName: 'Watercolour course', folderId, createdAt: '2026-11-20T10:00:00.000Z' },
  can: { view },
});
const invitation = {
  ...{ id: 4, zoneName: 'Pottery', inviterName: 'Ada Lovelace', requiresEmailOptin: false },
  ...{ consentText: 'I agree to receive all emails', expiresAt: '2026-12-20T10:00:00.000Z' },
};
const home = { zones: [zone()], recentFiles: [file(1, 'Lesson.pdf', 3, true), file(2, 'Brushes.zip', null, false)] };

const reads = someone({ zoneCount: 0, sharedZoneCount: 1 });
const serve = (user = reads, more: Record<string, Answer> = {}) =>
  pretendApi({
    'GET /api/user': [200, user],
    'GET /api/home': [200, { ...home, invitations: [] }],
    'GET /api/user/usage': [200, someUsage],
    'GET /api/dashboard/stats': [200, someStats({})],
    'GET /api/dashboard/activity': [200, []],
    'GET /api/dashboard/attention': [200, []],
    'GET /api/zones': [200, []],
    ...more,
  });

beforeEach(() => localStorage.clear());

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('the first page of who only reads', () => {
  it('shows their zones with whose they are and what is new, and what came last', async () => {
    serve(reads, {
      'GET /api/home': [
        200,
        { ...home, zones: [zone(), zone({ id: 8, newFiles: 0 }), zone({ id: 9, newFiles: 100 })], invitations: [] },
      ],
    });
    await renderProduct('/');
    await heading('Home');
    const zones = within(await screen.findByRole('region', { name: 'Your Zones' }));
    const rows = zones.getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent('Watercolour courseby Grace Hopper · last file');
    const news = rows.map((row) => within(row).queryByText(/ new$/)?.textContent);
    expect(news).toEqual(['3 new', undefined, '99+ new']);
    expect(within(rows[0]!).getByRole('link')).toHaveAttribute('href', '/zones/7');
    const files = within(screen.getByRole('region', { name: 'Recent Files' })).getAllByRole('link');
    expect(files.map((link) => link.getAttribute('href'))).toEqual(['/zones/7/files/1', '/zones/7?item=file-2']);
    expect(screen.queryByRole('region', { name: 'You Are Invited' })).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('has nothing of plans, limits and zones of one’s own, but a quiet way to make one', async () => {
    const server = serve();
    await renderProduct('/');
    expect(await screen.findByRole('link', { name: 'Create a Zone' })).toHaveAttribute('href', '/zones?create=zone');
    const entries = within(screen.getByRole('navigation', { name: 'Main navigation' })).getAllByRole('link');
    expect(entries.map((link) => link.getAttribute('href'))).toEqual([
      ...['/', '/zones', '/shared-zones', '/feature-suggestions', '/settings', '/home'],
    ]);
    expect(entries[0]).toHaveTextContent('Home');
    const banner = within(screen.getByRole('banner'));
    expect(banner.queryByText('Free')).not.toBeInTheDocument();
    expect(banner.queryByRole('link')).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Account summary' })).not.toBeInTheDocument();
    expect(screen.queryByRole('group', { name: 'Start page' })).not.toBeInTheDocument();
    expect(server.callsOf('GET /api/user/usage')).toHaveLength(0);
  });

  it('is the dashboard without a zone anywhere, and there is no limit on it either', async () => {
    serve(someone({ zoneCount: 0 }), {
      'GET /api/user/usage': [200, someUsage.map((usage) => ({ ...usage, warning: 100 }))],
    });
    await renderProduct('/');
    await heading('Dashboard');
    await screen.findByText('No recent activity');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(within(screen.getByRole('banner')).queryByText('Free')).not.toBeInTheDocument();
  });

  it.each(['/', '/dashboard'])('is there for who is only invited, at %s', async (path) => {
    const server = serve(someone({ zoneCount: 0, isOnlyInvited: true }), {
      'GET /api/home': [200, { zones: [], recentFiles: [], invitations: [invitation] }],
    });
    await renderProduct(path);
    await heading('Home');
    expect(await screen.findByText(/Pottery/)).toBeInTheDocument();
    expect(server.callsOf('GET /api/dashboard/stats')).toEqual([]);
  });

  it('stands at the address of the dashboard for who only reads, and not for who has zones as well', async () => {
    serve();
    const { unmount } = await renderProduct('/dashboard');
    await heading('Home');
    unmount();
    localStorage.setItem('zonary.firstPage', 'reading');
    serve(someone({ zoneCount: 1, sharedZoneCount: 1 }));
    await renderProduct('/dashboard');
    await heading('Dashboard');
  });

  it('shows the plan to who pays for one', async () => {
    serve(someone({ zoneCount: 0, sharedZoneCount: 1, plan: 'creator' }));
    await renderProduct('/');
    await heading('Home');
    expect(within(screen.getByRole('banner')).getByText('Creator')).toBeInTheDocument();
  });

  it('says what could not be loaded, and tries again', async () => {
    const server = serve(reads, { 'GET /api/home': [503] });
    const { user } = await renderProduct('/');
    const retry = await screen.findByRole('button', { name: 'Try again' });
    server.answer('GET /api/home', [200, { ...home, invitations: [] }]);
    await user.click(retry);
    expect(await screen.findByRole('region', { name: 'Your Zones' })).toBeInTheDocument();
  });
});

describe('an open invitation', () => {
  const path = 'POST /api/user/invitations/4/accept';
  const invited = (changes: object = {}): Answer => [200, { ...home, invitations: [{ ...invitation, ...changes }] }];
  const accept = () => screen.findByRole('button', { name: 'Accept the invitation to Pottery' });

  it('is accepted with one button, without a consent that nobody gave', async () => {
    const server = serve(reads, { 'GET /api/home': invited(), [path]: [200, { zoneId: 12 }] });
    const { user, address } = await renderProduct('/');
    expect(await screen.findByText('Ada Lovelace invites you.')).toBeInTheDocument();
    await user.click(await accept());
    await waitFor(() => expect(address()).toBe('/zones/12'));
    expect(server.callsOf(path).map(({ body }) => body)).toEqual([{ emailConsent: false }]);
  });

  it('gives the consent that is ticked, or that the zone asks for', async () => {
    const server = serve(reads, { 'GET /api/home': invited(), [path]: [200, { zoneId: 12 }] });
    const first = await renderProduct('/');
    await first.user.click(await screen.findByRole('checkbox', { name: invitation.consentText }));
    await first.user.click(await accept());
    await waitFor(() => expect(server.callsOf(path)[0]?.body).toEqual({ emailConsent: true }));
    first.unmount();
    const again = serve(reads, {
      'GET /api/home': invited({ requiresEmailOptin: true }),
      [path]: [200, { zoneId: 12 }],
    });
    const second = await renderProduct('/');
    expect(await screen.findByText(/By accepting you agree/)).toHaveTextContent(invitation.consentText);
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    await second.user.click(await accept());
    await waitFor(() => expect(again.callsOf(path)[0]?.body).toEqual({ emailConsent: true }));
  });

  it('that has ended meanwhile goes, and it is said why', async () => {
    const server = serve(reads, {
      'GET /api/home': invited(),
      [path]: refusal(404, 'INVITATION_NOT_FOUND', 'This invitation no longer exists.'),
    });
    const { user } = await renderProduct('/');
    const button = await accept();
    server.answer('GET /api/home', [200, { ...home, invitations: [] }]);
    await user.click(button);
    expect(await screen.findByText('This invitation no longer exists.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('region', { name: 'You Are Invited' })).not.toBeInTheDocument());
  });
});

describe('who has zones and reads in those of others', () => {
  const both = someone({ zoneCount: 1, sharedZoneCount: 2 });

  it('switches with one click, and finds it so again', async () => {
    localStorage.setItem('zonary.firstPage', 'creating');
    serve(both);
    const { user, address } = await renderProduct('/settings');
    const choice = within(await screen.findByRole('group', { name: 'Start page' }));
    expect(choice.getByRole('button', { name: 'Creating' })).toHaveAttribute('aria-pressed', 'true');
    await user.click(choice.getByRole('button', { name: 'Reading' }));
    expect(await heading('Home')).toBeInTheDocument();
    expect(address()).toBe('/');
    expect(screen.queryByRole('link', { name: 'Create a Zone' })).not.toBeInTheDocument();
    expect(localStorage.getItem('zonary.firstPage')).toBe('reading');
    await user.click(choice.getByRole('button', { name: 'Creating' }));
    expect(await heading('Dashboard')).toBeInTheDocument();
  });

  it('begins where they were last', async () => {
    localStorage.setItem('zonary.firstPage', 'reading');
    serve(both);
    await renderProduct('/');
    expect(await heading('Home')).toBeInTheDocument();
    expect(within(screen.getByRole('banner')).getByText('Free')).toBeInTheDocument();
  });
});
