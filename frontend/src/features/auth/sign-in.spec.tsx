import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { findButton, dashboardResponses, clearStorage, mockSignInApi, signedOutResponses } from '../../../test/sign-in';
import { getToastText } from '../../../test/settings';

beforeEach(clearStorage);

async function signIn(user: Awaited<ReturnType<typeof renderApp>>['user'], email = 'deniz@example.org') {
  const address = await screen.findByLabelText('Email');
  await user.clear(address);
  if (email) await user.type(address, email);
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  const main = within(screen.getByRole('main'));
  await user.click(main.getByRole('button', { name: 'Sign In' }));
}

describe('Sign-in page', () => {
  it('signs in, welcomes the user and opens the dashboard', async () => {
    const server = mockSignInApi();
    const { user, address } = await renderApp('/auth');
    await signIn(user);
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(address()).toBe('/');
    expect(getToastText()).toContain('Welcome back!You have successfully logged in.');
    expect(server.callsTo('POST /api/login')[0]?.body).toEqual({
      email: 'deniz@example.org',
      password: 'correct horse',
    });
  });

  it('shows the missing fields, focuses the first one and sends nothing', async () => {
    const server = mockApi(signedOutResponses);
    const { user } = await renderApp('/login');
    await user.type(await screen.findByLabelText('Password'), 'five5');
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Sign In' }));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Email is required');
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password must be at least 6 characters');
    expect(server.callsTo('POST /api/login')).toEqual([]);
  });

  it('shows the server’s error and keeps the entered values', async () => {
    mockApi({
      ...signedOutResponses,
      'POST /api/login': errorResponse(401, 'INVALID_CREDENTIALS', 'Invalid email or password'),
    });
    const { user } = await renderApp('/auth');
    await signIn(user);
    await waitFor(() => expect(getToastText()).toContain('Login failedInvalid email or password'));
    expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Invalid email or password');
  });

  it('redirects an incomplete account to its profile', async () => {
    mockSignInApi(makeUser({ needsProfileCompletion: true, firstName: null, username: null }));
    const { user, address } = await renderApp('/auth');
    await signIn(user);
    expect(await screen.findByRole('heading', { name: 'Complete Your Profile' })).toBeInTheDocument();
    expect(address()).toBe('/change-password?email=deniz%40example.org');
    expect(getToastText()).toContain('Complete Your ProfilePlease complete your profile to get started.');
  });

  it('asks a user with a temporary password to set a new one', async () => {
    mockSignInApi(makeUser({ needsProfileCompletion: true }));
    const { user, address } = await renderApp('/auth?temp=true&email=deniz%40example.org');
    expect(await screen.findByText('Account Activation')).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
    await signIn(user);
    await waitFor(() => expect(address()).toBe('/change-password?email=deniz%40example.org'));
    expect(getToastText()).toContain('Please set your passwordPlease create a secure password for your account.');
  });

  it('ignores a redirect target on another site', async () => {
    mockSignInApi();
    const { user, address } = await renderApp('/auth?next=https%3A%2F%2Felsewhere.example%2Fx');
    await signIn(user);
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('redirects users who are already signed in', async () => {
    mockApi({ ...dashboardResponses, 'GET /api/user': [200, makeUser()] });
    const { address } = await renderApp('/auth');
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('links both forms and reads the mode from the URL', async () => {
    mockApi(signedOutResponses);
    const { user } = await renderApp('/auth?mode=register');
    expect(await screen.findByRole('heading', { name: 'Create Your Account' })).toBeInTheDocument();
    await user.click(await findButton('Sign in'));
    expect(screen.getByRole('heading', { name: 'Sign In' })).toBeInTheDocument();
  });

  it('is translated into Turkish', async () => {
    mockApi(signedOutResponses);
    const { user } = await renderApp('/auth', { language: 'tr' });
    await user.click(within(await screen.findByRole('main')).getByRole('button', { name: 'Giriş Yap' }));
    expect(screen.getByLabelText('E-posta')).toHaveAccessibleDescription('E-posta zorunludur');
  });
});
