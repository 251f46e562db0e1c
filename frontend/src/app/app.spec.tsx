import { act, screen, waitFor, within } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../test/api';
import { makeDashboardStats } from '../../test/dashboard-stats';
import { sampleUsage } from '../../test/billing';
import { renderApp } from '../../test/render';
import { currentUserKey, type CurrentUser } from '../shared/api/current-user';
import { signOutRedirect } from '../shared/api/use-sign-out';
import { NO_LAST_NAME } from '../shared/format/person';

const makeZone = (id: number) => ({
  id,
  name: `Zone ${id}`,
  isActive: true,
  folderCount: 1,
  fileCount: 2,
  memberCount: 1300,
  updatedAt: '2026-11-20T10:00:00.000Z',
  can: {},
});
const dashboard: Record<string, MockResponse> = {
  'GET /api/dashboard/stats': [
    200,
    makeDashboardStats({ totalZones: 4, totalFiles: 9, totalMembers: 1300, totalDownloads: 77, totalStorage: 1536 }),
  ],
  'GET /api/dashboard/activity': [200, []],
  'GET /api/user/usage': [200, sampleUsage],
  'GET /api/zones': [200, [1, 2, 3, 4].map(makeZone)],
};
const signedIn = { ...dashboard, 'GET /api/user': [200, makeUser()] as const };
const signedOut = { ...dashboard, 'GET /api/user': notSignedInResponse };

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const findLandingHeading = () => screen.findByRole('heading', { level: 1, name: /Share your documents/ });

describe('Start page', () => {
  it('is the landing page for signed-out visitors', async () => {
    mockApi(signedOut);
    await renderApp('/');
    expect(await findLandingHeading()).toBeInTheDocument();
    expect(await screen.findAllByRole('link', { name: 'Sign In' })).not.toHaveLength(0);
    for (const link of screen.getAllByRole('link', { name: 'Start Building Your Audience' })) {
      expect(link).toHaveAttribute('href', '/auth?mode=register');
    }
  });

  it('is the dashboard for signed-in users', async () => {
    mockApi(signedIn);
    await renderApp('/');
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(await screen.findByText('1,300')).toBeInTheDocument();
    expect(screen.getByText('No recent activity')).toBeInTheDocument();
    expect(await screen.findByText('Zone 3')).toBeInTheDocument();
    expect(screen.queryByText('Zone 4')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Create Zone' })).toHaveAttribute('href', '/zones?create=zone');
    expect(screen.getByRole('link', { name: 'View all' })).toHaveAttribute('href', '/zones');
  });

  it('shows an error when the user can’t be loaded and can be retried', async () => {
    localStorage.setItem('zonary.signedIn', 'true');
    const server = mockApi({ ...signedIn, 'GET /api/user': [503] });
    const { user } = await renderApp('/');
    const retry = await screen.findByRole('button', { name: 'Try Again' });
    server.setResponse('GET /api/user', [200, makeUser()]);
    expect(server.callsTo('GET /api/session')).toHaveLength(1);
    await user.click(retry);
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
  });

  it('keeps the landing page available to signed-in users at /home', async () => {
    mockApi(signedIn);
    await renderApp('/home');
    expect(await findLandingHeading()).toBeInTheDocument();
    expect((await screen.findAllByRole('link', { name: 'My Dashboard' }))[0]).toHaveAttribute('href', '/dashboard');
    expect(screen.queryByRole('link', { name: 'Sign In' })).not.toBeInTheDocument();
  });
});

describe('Page navigation', () => {
  it('moves the focus to the new page and updates the document title', async () => {
    mockApi(signedOut);
    const { user } = await renderApp('/home');
    await user.click((await screen.findAllByRole('link', { name: 'Sign In' }))[0]!);
    await screen.findByRole('heading', { level: 1, name: 'Sign In' });
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
    expect(document.title).toBe('Sign In · Zonary');
  });

  describe('back to a page whose content is loaded again', () => {
    const findLink = async () => (await screen.findByText('Zone 3')).closest('a')!;

    async function goBack() {
      const server = mockApi(signedIn);
      const { user, router, queries } = await renderApp('/dashboard');
      const link = await findLink();
      act(() => link.focus());
      await act(() => router.navigate('/zones'));
      await screen.findByRole('heading', { level: 1, name: 'My Zones' });
      await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
      let sendZones!: () => void;
      const response = new Promise<[number, unknown]>((resolve) => {
        sendZones = () => resolve([200, [1, 2, 3, 4].map(makeZone)]);
      });
      server.setResponse('GET /api/zones', () => response);
      act(() => queries.removeQueries({ queryKey: ['get', '/api/zones'] }));
      await act(() => router.navigate(-1));
      await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
      return { user, sendZones };
    }

    it('focuses the link that was followed', async () => {
      const { sendZones } = await goBack();
      expect(screen.getByRole('main')).toHaveFocus();
      sendZones();
      expect(await findLink()).toHaveFocus();
    });

    it('leaves the focus where it is after a key press', async () => {
      const { user, sendZones } = await goBack();
      await user.keyboard('{Shift}');
      sendZones();
      expect(await findLink()).not.toHaveFocus();
    });
  });
});

describe('Page that requires sign-in', () => {
  it('shows the sign-in form to signed-out visitors, then the page at the same URL', async () => {
    const server = mockApi(signedOut);
    server.setResponse('POST /api/login', () => {
      server.setResponse('GET /api/user', [200, makeUser()]);
      return [200, makeUser()];
    });
    const { user, address } = await renderApp('/dashboard?from=mail');
    await user.type(await screen.findByLabelText('Email'), 'deniz@example.org');
    await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(address()).toBe('/dashboard?from=mail');
  });

  describe('when the session expires', () => {
    async function expireSession(nextUser: CurrentUser) {
      const server = mockApi({ ...signedIn, 'POST /api/zones': notSignedInResponse });
      server.setResponse('POST /api/login', () => {
        server.setResponse('GET /api/user', [200, nextUser]);
        return [200, nextUser];
      });
      const view = await renderApp('/zones?create=zone');
      await view.user.type(await screen.findByLabelText('Name'), 'Watercolour course');
      await view.user.click(screen.getByRole('button', { name: 'Create Zone' }));
      expect(await screen.findByRole('heading', { name: 'Please sign in again' })).toBeInTheDocument();
      expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
      await view.user.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
      await waitFor(() => expect(screen.queryByLabelText('Email')).not.toBeInTheDocument());
      return { ...view, server };
    }

    it('keeps the entered values after sign-in', async () => {
      const { server, user } = await expireSession(makeUser());
      expect(screen.getByLabelText('Name')).toHaveValue('Watercolour course');
      server.setResponse('POST /api/zones', [201, { ...makeZone(5), type: 'private', publicLink: null }]);
      await user.click(screen.getByRole('button', { name: 'Create Zone' }));
      await waitFor(() => expect(server.callsTo('POST /api/zones')).toHaveLength(2));
      expect(server.callsTo('POST /api/zones')[1]?.body).toMatchObject({ name: 'Watercolour course' });
    });

    it('discards the entered values when another user signs in', async () => {
      await expireSession(makeUser({ id: 2, email: 'ece@example.org' }));
      await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue(''));
    });
  });
});

describe('App layout', () => {
  it('has landmarks, a skip link and only existing destinations', async () => {
    mockApi(signedIn);
    await renderApp('/dashboard');
    const navigation = await screen.findByRole('navigation', { name: 'Main navigation' });
    const places = within(navigation)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
    expect(places).toEqual([
      ...['/', '/zones', '/files', '/members', '/campaigns', '/analytics'],
      ...['/shared-zones', '/feature-suggestions', '/settings', '/home'],
    ]);
    expect(within(navigation).getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
    expect(within(navigation).getByRole('link', { name: /View Home Page/ })).toHaveAttribute('target', '_blank');
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#main');
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main');
    expect(screen.getByRole('banner')).toBeInTheDocument();
  });

  it('shows the plan, the usage and the signed-in user', async () => {
    mockApi({ ...signedIn, 'GET /api/user': [200, makeUser({ plan: 'pro-creator', lastName: NO_LAST_NAME })] });
    await renderApp('/dashboard');
    const summary = await screen.findByRole('region', { name: 'Account Summary' });
    await waitFor(() => expect(summary).toHaveTextContent('4 of 100'));
    expect(within(summary).getByRole('progressbar', { name: 'Storage' })).toHaveAttribute('aria-valuenow', '50');
    expect(summary).toHaveTextContent('Pro Creator');
    expect(screen.getByText('@deniz')).toBeInTheDocument();
    expect(screen.getByText('Deniz', { selector: 'p' })).toBeInTheDocument();
  });

  it('can be collapsed, which is remembered', async () => {
    mockApi(signedIn);
    const { user } = await renderApp('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Collapse sidebar' }));
    expect(screen.getByRole('button', { name: 'Expand sidebar' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Account Summary' })).not.toBeInTheDocument();
    expect(localStorage.getItem('zonary.sidebarCollapsed')).toBe('true');
  });

  it('changes language and colour mode from the account menu by keyboard', async () => {
    const inTurkish = [200, { user: makeUser({ language: 'tr' }) }] as const;
    const server = mockApi({ ...signedIn, 'PUT /api/user/profile': inTurkish });
    const { user } = await renderApp('/dashboard');
    const opener = await screen.findByRole('button', { name: 'Account menu' });
    act(() => opener.focus());
    await user.keyboard('{Enter}');
    const menu = await screen.findByRole('menu');
    expect(menu).toHaveTextContent('Deniz Acardeniz@example.org');
    expect(within(menu).getByRole('menuitem', { name: 'Settings' })).toHaveAttribute('href', '/settings');
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(screen.getByRole('menuitemradio', { name: 'Türkçe' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Panel', hidden: true })).toBeInTheDocument();
    expect(document.documentElement.lang).toBe('tr');
    // Emails use the language too, so it is saved as the user's setting.
    const saved = { language: 'tr' };
    await waitFor(() => expect(server.callsTo('PUT /api/user/profile')[0]?.body).toEqual(saved));
    await user.click(screen.getByRole('menuitemradio', { name: 'Koyu' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(screen.getByRole('menuitemradio', { name: 'Koyu' })).toBeChecked();
  });
});

describe('Page whose browser signed in to another account in another tab', () => {
  it('sends its account with every request and shows a notice once rejected', async () => {
    const changed = errorResponse(409, 'ACCOUNT_CHANGED', 'This browser is signed in to another account now.');
    const server = mockApi({ ...signedIn, 'PUT /api/user/profile': changed });
    const { user } = await renderApp('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Account menu' }));
    expect(server.callsTo('GET /api/dashboard/stats')[0]!.headers.get('X-Account')).toBe('1');
    await user.click(screen.getByRole('menuitemradio', { name: 'Türkçe' }));
    const notice = await screen.findByRole('dialog', { name: 'Şu anda başka bir hesapla giriş yapılmış' });
    expect(notice).toHaveTextContent('deniz@example.org');
    await user.keyboard('{Escape}');
    expect(notice).toBeInTheDocument();
  });
});

describe('Language chosen on a public page', () => {
  const chooseTurkish = async (view: Awaited<ReturnType<typeof renderApp>>) => {
    await findLandingHeading();
    await view.user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'tr');
    await waitFor(() => expect(document.documentElement.lang).toBe('tr'));
  };

  it('is stored only in this browser for signed-out visitors', async () => {
    const server = mockApi(signedOut);
    await chooseTurkish(await renderApp('/home'));
    expect(server.callsTo('PUT /api/user/profile')).toEqual([]);
    expect(localStorage.getItem('zonary.language')).toBe('tr');
  });

  it('is the last one chosen even when saving the previous one took longer', async () => {
    const slow = Promise.withResolvers<MockResponse>();
    const server = mockApi({ ...signedIn, 'PUT /api/user/profile': () => slow.promise });
    const view = await renderApp('/home');
    await chooseTurkish(view);
    await waitFor(() => expect(server.callsTo('PUT /api/user/profile')).toHaveLength(1));
    await view.user.selectOptions(screen.getByRole('combobox', { name: 'Dil' }), 'en');
    server.setResponse('PUT /api/user/profile', [200, { user: makeUser({ language: 'en' }) }]);
    slow.resolve([200, { user: makeUser({ language: 'tr' }) }]);
    await waitFor(() => expect(server.callsTo('PUT /api/user/profile')).toHaveLength(2));
    expect(server.callsTo('PUT /api/user/profile').map((call) => call.body)).toEqual([
      { language: 'tr' },
      { language: 'en' },
    ]);
    expect(document.documentElement.lang).toBe('en');
  });

  it('is not reverted by a response sent before it was saved', async () => {
    const slow = Promise.withResolvers<MockResponse>();
    const server = mockApi({ ...signedIn, 'PUT /api/user/profile': () => slow.promise });
    const view = await renderApp('/home');
    await chooseTurkish(view);
    await waitFor(() => expect(server.callsTo('PUT /api/user/profile')).toHaveLength(1));
    await view.user.selectOptions(screen.getByRole('combobox', { name: 'Dil' }), 'en');
    // The session is fetched while the server knows only the first choice.
    const sessionResponse = Promise.withResolvers<MockResponse>();
    const before = server.callsTo('GET /api/session').length;
    server.setResponse('GET /api/session', () => sessionResponse.promise);
    act(() => void view.queries.invalidateQueries({ queryKey: currentUserKey }));
    await waitFor(() => expect(server.callsTo('GET /api/session')).toHaveLength(before + 1));
    server.setResponse('GET /api/session', [200, { user: makeUser({ language: 'en' }) }]);
    server.setResponse('PUT /api/user/profile', [200, { user: makeUser({ language: 'en' }) }]);
    slow.resolve([200, { user: makeUser({ language: 'tr' }) }]);
    await waitFor(() => expect(server.callsTo('PUT /api/user/profile')).toHaveLength(2));
    await waitFor(() => expect(view.queries.isMutating()).toBe(0));
    await act(async () => sessionResponse.resolve([200, { user: makeUser({ language: 'tr' }) }]));
    await waitFor(() => expect(view.queries.isFetching()).toBe(0));
    expect(view.queries.getQueryData<CurrentUser>(currentUserKey)?.language).toBe('en');
    expect(document.documentElement.lang).toBe('en');
  });

  it('is kept with a notice when the account could not save it', async () => {
    mockApi({ ...signedIn, 'PUT /api/user/profile': [503] });
    await chooseTurkish(await renderApp('/home'));
    expect(await screen.findByText('Dil tercihi hesabınıza kaydedilemedi')).toBeInTheDocument();
    expect(document.documentElement.lang).toBe('tr');
  });
});

describe('Sign-out', () => {
  const goHome = jest.spyOn(signOutRedirect, 'goHome').mockImplementation(() => undefined);
  beforeEach(() => goHome.mockClear());

  it('ends the session and reloads the start page', async () => {
    const server = mockApi({ ...signedIn, 'POST /api/logout': [200, { message: 'Bye' }] });
    const { user } = await renderApp('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(goHome).toHaveBeenCalledTimes(1));
    expect(server.callsTo('POST /api/logout')).toHaveLength(1);
    expect(sessionStorage.getItem('zonary.toast')).toBeNull();
  });

  it('reloads the start page even when it fails and shows the error there', async () => {
    mockApi({ ...signedIn, 'POST /api/logout': [500] });
    const { user } = await renderApp('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(goHome).toHaveBeenCalledTimes(1));
    expect(sessionStorage.getItem('zonary.toast')).toContain('Logout failed');
  });
});

describe('Unknown URL', () => {
  it('shows a not-found page with links', async () => {
    mockApi(signedOut);
    await renderApp('/nowhere');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
    const main = within(screen.getByRole('main'));
    const hrefs = main.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(hrefs).toEqual(['/', '/dashboard', '/shared-zones', '/login']);
  });

  it.each([
    ['the sign-in page', 'signed-out', signedOut, '/login'],
    ['the shared zones', 'signed-in', signedIn, '/shared-zones'],
  ])('below /zones/ redirects to %s after three seconds (%s)', async (_where, _who, table, destination) => {
    jest.useFakeTimers();
    mockApi(table);
    const { address } = await renderApp('/zones/x/y/z');
    expect(await screen.findByRole('heading', { name: 'Zones can’t be reached this way' })).toBeInTheDocument();
    await screen.findAllByRole('status', { name: '' });
    await act(() => jest.advanceTimersByTimeAsync(2900));
    expect(address()).toBe('/zones/x/y/z');
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(address()).toBe(destination);
    jest.useRealTimers();
  });
});
