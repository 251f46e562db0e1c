import { screen, waitFor } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { renderApp } from '../../../../test/render';

beforeEach(() => localStorage.clear());

const page = '/reset-password?token=tok';
const toastText = () => document.querySelector('.z-toaster')?.textContent;
type User = Awaited<ReturnType<typeof renderApp>>['user'];

const check = 'POST /api/reset-password/check';

function mockServer(response: MockResponse = [200, { message: 'Password reset successful!' }]) {
  const usable: MockResponse = [200, { usable: true, isFirst: false }];
  return mockApi({ 'GET /api/user': notSignedInResponse, [check]: usable, 'POST /api/reset-password': response });
}

async function fillIn(user: User, password: string, confirmation = password) {
  await user.type(await screen.findByLabelText('New password'), password);
  await user.type(screen.getByLabelText('Confirm password'), confirmation);
  await user.click(screen.getByRole('button', { name: 'Save the Password' }));
}

describe('Reset password page', () => {
  it('sets the password and redirects to sign-in', async () => {
    const server = mockServer();
    const { user, address } = await renderApp(page);
    await fillIn(user, 'correct horse');
    await waitFor(() => expect(address()).toBe('/auth'));
    expect(toastText()).toContain('Password reset successful!');
    expect(server.callsTo('POST /api/reset-password')[0]?.body).toEqual({ token: 'tok', password: 'correct horse' });
  });

  it('shows that the link is invalid as soon as the page opens', async () => {
    const server = mockServer();
    server.setResponse(check, [200, { usable: false, isFirst: false }]);
    await renderApp(page);
    expect(await screen.findByRole('heading', { name: 'Invalid Reset Link' })).toBeInTheDocument();
    expect(screen.getByText(/has already been used or has expired/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Ask for a New Link' })).toHaveAttribute('href', '/forgot-password');
    expect(screen.queryByLabelText('New password')).not.toBeInTheDocument();
    expect(server.callsTo(check)[0]?.body).toEqual({ token: 'tok' });
  });

  it('asks an invited user for a first password without mentioning other sessions', async () => {
    mockServer().setResponse(check, [200, { usable: true, isFirst: true }]);
    const { user, address } = await renderApp(page);
    expect(await screen.findByRole('heading', { name: 'Set Your Password' })).toBeInTheDocument();
    expect(screen.queryByText(/signed out/)).not.toBeInTheDocument();
    await fillIn(user, 'correct horse');
    await waitFor(() => expect(address()).toBe('/auth'));
    expect(toastText()).toContain('Your password is set');
  });

  it('shows the form when the check of the link fails', async () => {
    mockServer().setResponse(check, [503]);
    await renderApp(page);
    expect(await screen.findByLabelText('New password')).toBeInTheDocument();
  });

  it('signs out the user who was signed in on this device', async () => {
    const server = mockServer();
    server.setResponse('GET /api/user', [200, makeUser()]);
    server.setResponse('POST /api/reset-password', () => {
      server.setResponse('GET /api/user', notSignedInResponse);
      return [200, { message: '' }];
    });
    const { user } = await renderApp(page);
    await fillIn(user, 'correct horse');
    expect(await screen.findByRole('heading', { name: 'Sign In' })).toBeInTheDocument();
  });

  it('requires at least eight characters, repeated identically', async () => {
    const server = mockServer();
    const { user } = await renderApp(page);
    await fillIn(user, 'seven77', 'other');
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription('Password must be at least 8 characters');
    expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription("Passwords don't match");
    expect(server.callsTo('POST /api/reset-password')).toEqual([]);
  });

  it('shows the server’s objection to the password at the field', async () => {
    const errors = { password: ['This password is too common.'] };
    mockServer(errorResponse(400, 'VALIDATION_FAILED', 'Please check.', { errors }));
    const { user } = await renderApp(page);
    await fillIn(user, 'password');
    await waitFor(() =>
      expect(screen.getByLabelText('New password')).toHaveAccessibleDescription('This password is too common.'),
    );
  });

  it('shows an invalid link when the token is missing', async () => {
    mockServer();
    await renderApp('/reset-password');
    expect(await screen.findByRole('heading', { name: 'Invalid Reset Link' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Ask for a New Link' })).toHaveAttribute('href', '/forgot-password');
    expect(screen.queryByLabelText('New password')).not.toBeInTheDocument();
  });

  it('shows an invalid link when the server rejects the token', async () => {
    mockServer(errorResponse(400, 'TOKEN_INVALID', 'This link has expired.'));
    const { user } = await renderApp(page);
    await fillIn(user, 'correct horse');
    expect(await screen.findByRole('heading', { name: 'Invalid Reset Link' })).toBeInTheDocument();
    expect(screen.getByText('This link has expired.')).toBeInTheDocument();
  });

  it('keeps the entered password when the server is unreachable', async () => {
    mockServer(() => Promise.reject(new TypeError('Failed to fetch')));
    const { user } = await renderApp(page);
    await fillIn(user, 'correct horse');
    await waitFor(() =>
      expect(toastText()).toContain(
        'Failed to change passwordCouldn’t reach the server. Please check your connection.',
      ),
    );
    expect(screen.getByLabelText('New password')).toHaveValue('correct horse');
  });
});
