import { screen, waitFor, within } from '@testing-library/react';
import { errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { makeInstallation } from '../../../../test/installation';
import { renderApp } from '../../../../test/render';
import { getToastText } from '../../../../test/settings';
import { findButton, clearStorage, mockSignInApi } from '../../../../test/sign-in';
import { suggestUsername } from './suggest-username';

beforeEach(clearStorage);

const getSetup = 'GET /api/setup';
const postSetup = 'POST /api/setup';
const settings = 'GET /api/admin/installation';
const open = { state: 'open', following: ['purpose', 'mail'] };
const superAdmin = makeUser({ email: 'ada.sample@example.org', isSuperAdmin: true });

function mockServer(more: Record<string, MockResponse> = {}) {
  const free: MockResponse = [200, { available: true, message: 'Username is available' }];
  const server = mockSignInApi(superAdmin, {
    [getSetup]: [200, open],
    [settings]: [200, makeInstallation()],
    'GET /api/check-username/ada_sample': free,
    'GET /api/check-username/ada': free,
    ...more,
  });
  if (!(postSetup in more)) {
    server.setResponse(postSetup, () => {
      server.setResponse('GET /api/user', [200, superAdmin]);
      server.setResponse(getSetup, errorResponse(404, 'SETUP_CLOSED', 'Closed.'));
      return [201, superAdmin];
    });
  }
  return server;
}

type User = Awaited<ReturnType<typeof renderApp>>['user'];

async function fillIn(user: User) {
  await user.type(await screen.findByLabelText('First name'), 'Ada');
  await user.type(screen.getByLabelText('Last name'), 'Sample');
  await user.type(screen.getByLabelText('Email'), 'ada.sample@example.org');
  await user.type(screen.getByLabelText('Password'), 'correct horse battery');
  await user.click(await findButton('Create Account'));
}

describe('Setup page', () => {
  it('creates the account with the key, removes the key from the URL and opens the start page', async () => {
    const server = mockServer();
    const { user, address, router } = await renderApp('/setup?key=the-key');
    await screen.findByRole('heading', { name: 'Step 1 of 3 Set Up Your Site' });
    expect(address()).toBe('/setup');
    expect(router.state.location.state).toEqual({ key: 'the-key' });
    await fillIn(user);
    await waitFor(() => expect(address()).toBe('/'));
    expect(getToastText()).toBe('');
    expect(server.callsTo(postSetup)[0]?.body).toEqual({
      key: 'the-key',
      firstName: 'Ada',
      lastName: 'Sample',
      email: 'ada.sample@example.org',
      username: 'ada_sample',
      password: 'correct horse battery',
    });
    expect(server.callsTo(getSetup)).toHaveLength(1);
    expect(screen.queryByText('This setup address no longer works')).not.toBeInTheDocument();
  });

  it('reports completion when no further steps follow', async () => {
    mockServer({ [getSetup]: [200, { state: 'open', following: [] }] });
    const { user, address } = await renderApp('/setup?key=the-key');
    await fillIn(user);
    await waitFor(() => expect(address()).toBe('/'));
    expect(getToastText()).toContain('You’re signed in as its super admin.');
  });

  it('shows only its steps in the header, without prices or sign-in', async () => {
    mockServer();
    await renderApp('/setup?key=the-key');
    const header = within(await screen.findByRole('banner'));
    expect(header.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/']);
    expect(header.queryByRole('button')).not.toBeInTheDocument();
  });

  it.each([
    ['Step 1 of 2 Set Up Your Site', ['purpose']],
    ['Set Up Your Site', []],
  ])('shows the number of steps from the first one on: %s', async (name, following) => {
    mockServer({ [getSetup]: [200, { state: 'open', following }] });
    await renderApp('/setup?key=the-key');
    expect(await screen.findByRole('heading', { level: 1, name })).toBeInTheDocument();
  });

  it('suggests a username until the user enters one', async () => {
    mockServer();
    const { user } = await renderApp('/setup?key=the-key');
    await user.type(await screen.findByLabelText('Email'), 'ada.sample@example.org');
    expect(screen.getByLabelText('Username')).toHaveValue('ada_sample');
    await user.clear(screen.getByLabelText('Username'));
    await user.type(screen.getByLabelText('Username'), 'ada');
    await user.type(screen.getByLabelText('Email'), '.tr');
    expect(screen.getByLabelText('Username')).toHaveValue('ada');
  });

  it.each([
    ['ada.sample@example.org', 'ada_sample'],
    ['Işıl.Çağ+news@example.org', 'isil_cag_news'],
    ['--ada--@example.org', 'ada'],
    ['a@example.org', 'a_example'],
    ['ad@x.org', 'ad_x'],
    ['a@例え.org', 'a_user'],
    ['ad@exam', ''],
    ['a', ''],
    [`${'x'.repeat(40)}@example.org`, 'x'.repeat(30)],
    ['', ''],
  ])('suggests for %s the username: %s', (email, username) =>
    expect(suggestUsername({ email, firstName: 'Ada', lastName: 'Sample' })).toBe(username),
  );

  it.each(['admin', 'info', 'root', 'contact', 'no-reply'])(
    'suggests the name instead of the reserved username %s',
    (local) => {
      const email = `${local}@example.org`;
      expect(suggestUsername({ email, firstName: 'Işıl', lastName: 'Çağ' })).toBe('isil_cag');
      expect(suggestUsername({ email, firstName: '', lastName: '' })).toBe('');
      expect(suggestUsername({ email, firstName: 'Support', lastName: '' })).toBe('');
    },
  );

  it('follows the names while the part before the @ is reserved', async () => {
    mockServer();
    const { user } = await renderApp('/setup?key=the-key');
    await user.type(await screen.findByLabelText('Email'), 'admin@example.org');
    expect(screen.getByLabelText('Username')).toHaveValue('');
    await user.type(screen.getByLabelText('First name'), 'Ada');
    await user.type(screen.getByLabelText('Last name'), 'Sample');
    expect(screen.getByLabelText('Username')).toHaveValue('ada_sample');
  });

  it.each([
    ['/setup?key=old', 'a used key'],
    ['/setup', 'no key'],
    ['/setup?key=', 'an empty key'],
  ])('explains at %s what to do with %s', async (at) => {
    mockServer({ [getSetup]: errorResponse(404, 'SETUP_CLOSED', 'Closed.') });
    const { address } = await renderApp(at);
    expect(await screen.findByRole('heading', { name: 'This setup address no longer works' })).toBeInTheDocument();
    expect(screen.getByText('npm run admin -- create you@example.org')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Sign-In' })).toHaveAttribute('href', '/auth');
    expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
    expect(address()).toBe('/setup');
  });

  it('explains that the setup is closed when someone else completed it first', async () => {
    mockServer({ [postSetup]: errorResponse(404, 'SETUP_CLOSED', 'Closed.') });
    const { user } = await renderApp('/setup?key=the-key');
    await fillIn(user);
    expect(await screen.findByRole('heading', { name: 'This setup address no longer works' })).toBeInTheDocument();
  });

  it.each([
    [
      'Username',
      errorResponse(409, 'USERNAME_TAKEN', 'This username is already taken'),
      'This username is already taken',
    ],
    ['Username', errorResponse(409, 'USERNAME_RESERVED', 'This username is reserved.'), 'This username is reserved.'],
    [
      'Email',
      errorResponse(409, 'EMAIL_TAKEN', 'Of another account.'),
      /This email address already has an account\. Use another/,
    ],
    [
      'Password',
      errorResponse(400, 'VALIDATION_FAILED', 'No.', { errors: { password: ['This password is easy to guess.'] } }),
      /This password is easy to guess\./,
    ],
  ] as [string, MockResponse, string | RegExp][])(
    'shows at the %s field why the server rejected the value',
    async (label, response, text) => {
      mockServer({ [postSetup]: response });
      const { user } = await renderApp('/setup?key=the-key');
      await fillIn(user);
      const field = screen.getByLabelText(label);
      await waitFor(() => expect(field).toHaveAccessibleDescription(expect.stringMatching(text)));
      expect(field).toHaveFocus();
      expect(screen.getByLabelText('First name')).toHaveValue('Ada');
    },
  );

  it('can be retried when its state failed to load', async () => {
    const server = mockServer({ [getSetup]: [503] });
    const { user } = await renderApp('/setup?key=the-key');
    await findButton('Try Again');
    server.setResponse(getSetup, [200, open]);
    await user.click(await findButton('Try Again'));
    expect(await screen.findByLabelText('Password')).toBeInTheDocument();
  });
});
