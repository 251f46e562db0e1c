import { screen, waitFor, within } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';

const incompleteUser = makeUser({ needsProfileCompletion: true, firstName: null, lastName: null, username: null });

beforeEach(() => localStorage.clear());

const findSaveButton = async () => screen.findByRole('button', { name: 'Save and Continue' });
const getField = (label: string) => screen.getByLabelText(label);

function mockServer(response?: MockResponse) {
  const server = mockApi({
    'GET /api/user': [200, incompleteUser],
    'GET /api/check-username/deniz': [200, { available: true, message: 'Username is available' }],
  });
  const completeUser = makeUser();
  const succeed: MockResponse = () => {
    server.setResponse('GET /api/user', [200, completeUser]);
    return [200, completeUser];
  };
  server.setResponse('POST /api/complete-profile', response ?? succeed);
  return server;
}

async function fillIn(user: Awaited<ReturnType<typeof renderApp>>['user']) {
  await user.type(await screen.findByLabelText('First name'), 'Deniz');
  await user.type(getField('Last name'), 'Acar');
  await user.type(getField('Username'), 'deniz');
  await user.type(getField('New password'), 'correct horse');
  await user.type(getField('Confirm password'), 'correct horse');
  await user.click(await findSaveButton());
}

describe('Complete profile page', () => {
  it('saves the names, username and password for the session’s email and redirects to the zone', async () => {
    const server = mockServer();
    const { user, address } = await renderApp('/complete-profile?zone=12');
    await fillIn(user);
    await waitFor(() => expect(address()).toBe('/zones/12'));
    expect(server.callsTo('POST /api/complete-profile')[0]?.body).toEqual({
      email: 'deniz@example.org',
      firstName: 'Deniz',
      lastName: 'Acar',
      username: 'deniz',
      newPassword: 'correct horse',
    });
    expect(screen.getByText('Profile Completed!')).toBeInTheDocument();
  });

  it('asks for an emailed code when the session is unconfirmed and keeps the entered values', async () => {
    const { setResponse, callsTo } = mockServer(
      errorResponse(403, 'CONFIRMATION_REQUIRED', 'Please confirm your identity first.'),
    );
    const completeUser = makeUser();
    setResponse('GET /api/user/confirm', [200, { ways: ['mail'] }]);
    setResponse('POST /api/user/confirm/mail', [200, { message: 'We have sent you a code.' }]);
    setResponse('POST /api/user/confirm', () => {
      setResponse('POST /api/complete-profile', () => {
        setResponse('GET /api/user', [200, completeUser]);
        return [200, completeUser];
      });
      return [200, { confirmedUntil: '2026-11-27T12:00:00.000Z' }];
    });
    const { user, address } = await renderApp('/complete-profile?zone=12');
    await fillIn(user);
    const dialog = await screen.findByRole('dialog', { name: 'Confirm That It’s You' });
    await user.click(await within(dialog).findByRole('button', { name: 'Email Me a Code' }));
    await user.type(await within(dialog).findByLabelText('6-digit code'), '123456{Enter}');
    await waitFor(() => expect(address()).toBe('/zones/12'));
    const [first, second] = callsTo('POST /api/complete-profile').map(({ body }) => body);
    expect(second).toEqual(first);
  });

  it('redirects to the requested page afterwards', async () => {
    mockServer();
    const { user, address } = await renderApp('/change-password?email=x&next=%2Fhome');
    await fillIn(user);
    await waitFor(() => expect(address()).toBe('/home'));
  });

  it('shows a validation error at each invalid field', async () => {
    mockServer();
    const { user } = await renderApp('/complete-profile');
    await user.click(await findSaveButton());
    expect(getField('First name')).toHaveAccessibleDescription('First name is required');
    expect(getField('Last name')).toHaveAccessibleDescription('Last name is required');
    expect(getField('Username')).toHaveAccessibleDescription('Username must be at least 3 characters');
    expect(getField('New password')).toHaveAccessibleDescription('Password must be at least 8 characters long');
    await user.type(getField('First name'), 'x'.repeat(51));
    await user.type(getField('Last name'), 'x'.repeat(51));
    await user.type(getField('Username'), 'x'.repeat(31));
    await user.type(getField('New password'), 'correct horse');
    await user.type(getField('Confirm password'), 'another horse');
    await user.click(await findSaveButton());
    expect(getField('First name')).toHaveAccessibleDescription('First name too long');
    expect(getField('Last name')).toHaveAccessibleDescription('Last name too long');
    expect(getField('Username')).toHaveAccessibleDescription('Username too long');
    expect(getField('Confirm password')).toHaveAccessibleDescription("Passwords don't match");
  });

  it('marks the repeated password as invalid while it differs from the new one', async () => {
    mockServer();
    const { user } = await renderApp('/complete-profile');
    await user.type(await screen.findByLabelText('New password'), 'correct horse');
    const repeated = getField('Confirm password');
    await user.type(repeated, 'correct');
    expect(repeated).not.toBeInvalid();
    await user.type(repeated, '!');
    expect(repeated).toBeInvalid();
    expect(repeated).toHaveAccessibleDescription("Passwords don't match");
    await user.clear(repeated);
    await user.type(repeated, 'correct');
    await user.click(await findSaveButton());
    expect(repeated).toBeInvalid();
    await user.clear(getField('New password'));
    await user.type(getField('New password'), 'correct');
    expect(repeated).not.toBeInvalid();
  });

  it('shows at the username field that the name was taken in the meantime', async () => {
    mockServer(errorResponse(409, 'USERNAME_TAKEN', 'This username is already taken'));
    const { user } = await renderApp('/complete-profile');
    await fillIn(user);
    await waitFor(() => expect(getField('Username')).toHaveAccessibleDescription('This username is already taken'));
    expect(getField('New password')).toHaveValue('correct horse');
  });

  it('asks to sign in again when the session has expired', async () => {
    mockServer(notSignedInResponse);
    const { user } = await renderApp('/complete-profile');
    await fillIn(user);
    expect(await screen.findByRole('heading', { name: 'Sign In' })).toBeInTheDocument();
  });

  it('intercepts every page for an incomplete account and returns to that page afterwards', async () => {
    mockServer();
    const { user, address } = await renderApp('/dashboard');
    await fillIn(user);
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });

  it('redirects an account with a complete profile', async () => {
    mockApi({ 'GET /api/user': [200, makeUser()] });
    const { address } = await renderApp('/complete-profile?next=%2Fhome');
    await waitFor(() => expect(address()).toBe('/home'));
  });

  it('redirects a complete account that wants to change its password to the settings', async () => {
    mockApi({ 'GET /api/user': [200, makeUser()] });
    const { router } = await renderApp('/change-password?email=deniz%40example.org');
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'));
    expect(router.state.location.hash).toBe('#password');
  });

  it('asks a signed-out visitor to sign in with the temporary password first', async () => {
    mockApi({ 'GET /api/user': notSignedInResponse });
    await renderApp('/change-password?email=deniz%40example.org');
    expect(await screen.findByText('Account Activation')).toBeInTheDocument();
    expect(getField('Email')).toHaveValue('deniz@example.org');
  });
});

describe('Complete profile page with known names', () => {
  const named = makeUser({ needsProfileCompletion: true, requiresPasswordChange: true });

  async function choose(user: Awaited<ReturnType<typeof renderApp>>['user'], password: string, again = password) {
    await user.type(await screen.findByLabelText('New password'), password);
    await user.type(getField('Confirm password'), again);
    await user.click(await findSaveButton());
  }

  it('asks for a password only and redirects afterwards', async () => {
    const server = mockApi({ 'GET /api/user': [200, named] });
    server.setResponse('POST /api/change-password', () => {
      server.setResponse('GET /api/user', [200, makeUser()]);
      return [200, makeUser()];
    });
    const { user, address } = await renderApp('/change-password?email=deniz%40example.org');
    expect(await screen.findByRole('heading', { name: 'Set Your Password' })).toBeInTheDocument();
    expect(screen.queryByLabelText('First name')).not.toBeInTheDocument();
    await choose(user, 'correct horse');
    await waitFor(() => expect(address()).toBe('/'));
    expect(server.callsTo('POST /api/change-password')[0]?.body).toEqual({
      email: 'deniz@example.org',
      newPassword: 'correct horse',
    });
    expect(screen.getByText('Password Changed')).toBeInTheDocument();
  });

  it('requires a password of at least eight characters, repeated identically', async () => {
    const server = mockApi({ 'GET /api/user': [200, named] });
    const { user } = await renderApp('/complete-profile');
    await choose(user, 'seven77', 'another');
    expect(getField('New password')).toHaveAccessibleDescription('Password must be at least 8 characters');
    expect(getField('Confirm password')).toHaveAccessibleDescription("Passwords don't match");
    expect(server.callsTo('POST /api/change-password')).toEqual([]);
  });

  it('redirects when another tab has already set the password', async () => {
    const errors = { currentPassword: ['All fields are required'] };
    const server = mockApi({ 'GET /api/user': [200, named] });
    server.setResponse('POST /api/change-password', () => {
      server.setResponse('GET /api/user', [200, makeUser()]);
      return errorResponse(400, 'VALIDATION_FAILED', 'Please check.', { errors });
    });
    const { user, address } = await renderApp('/complete-profile?next=%2Fhome');
    await choose(user, 'correct horse');
    await waitFor(() => expect(address()).toBe('/home'));
  });
});
