import { screen, waitFor } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { findButton, clearStorage, mockSignInApi, signedOutResponses } from '../../../test/sign-in';
import { getToastText } from '../../../test/settings';

beforeEach(clearStorage);

describe('Registration', () => {
  const details = { firstName: 'Deniz', lastName: 'Acar', username: 'deniz_a', email: 'deniz@example.org' };
  const free: Record<string, MockResponse> = {
    'GET /api/check-username/deniz_a': [200, { available: true, message: 'Username is available' }],
    'POST /api/check-password': [200, { ok: true, message: null }],
    'POST /api/send-verification': [200, { message: 'Please check your email.' }],
  };

  async function fillIn(user: Awaited<ReturnType<typeof renderApp>>['user']) {
    await user.type(await screen.findByLabelText('First name'), details.firstName);
    await user.type(screen.getByLabelText('Last name'), details.lastName);
    await user.type(screen.getByLabelText('Username'), details.username);
    await user.type(screen.getByLabelText('Email'), details.email);
    await user.type(screen.getByLabelText('Password'), 'correct horse');
    await user.click(await findButton('Continue'));
  }

  it('warns that the code will be delayed when the mail server accepts no emails', async () => {
    mockSignInApi(makeUser(), {
      ...free,
      'POST /api/send-verification': [200, { message: 'Please check your email.', mailsDelayed: true }],
    });
    const { user } = await renderApp('/auth?mode=register');
    await fillIn(user);
    await waitFor(() => expect(getToastText()).toContain('Emails are delayed at the moment.'));
  });

  it('sends a code, accepts it, signs in and redirects to the dashboard', async () => {
    const server = mockSignInApi(makeUser(), free);
    const { user, address } = await renderApp('/auth?mode=register');
    await fillIn(user);
    expect(await screen.findByRole('heading', { name: 'Check Your Email' })).toBeInTheDocument();
    expect(getToastText()).toContain(
      'Verification code sent!Please check your email for the 6-digit verification code.',
    );
    await user.type(screen.getByLabelText('Verification code'), '12 34567');
    expect(screen.getByLabelText('Verification code')).toHaveValue('123456');
    await user.click(await findButton('Create Account'));
    await waitFor(() => expect(address()).toBe('/'));
    expect(getToastText()).toContain('Account created!');
    expect(server.callsTo('POST /api/send-verification')[0]?.body).toEqual({ email: details.email });
    const sent = { ...details, password: 'correct horse', verificationCode: '123456' };
    expect(server.callsTo('POST /api/register')[0]?.body).toEqual(sent);
  });

  it('shows a validation error at each invalid field', async () => {
    const server = mockApi(signedOutResponses);
    const { user } = await renderApp('/auth?mode=register');
    await user.type(await screen.findByLabelText('Username'), 'ab');
    await user.type(screen.getByLabelText('Email'), 'deniz');
    await user.type(screen.getByLabelText('Password'), 'seven77');
    await user.click(await findButton('Continue'));
    const saysOf = (label: string) => screen.getByLabelText(label);
    expect(saysOf('First name')).toHaveAccessibleDescription('First name is required');
    expect(saysOf('Last name')).toHaveAccessibleDescription('Last name is required');
    expect(saysOf('Username')).toHaveAccessibleDescription('Username must be at least 3 characters');
    expect(saysOf('Email')).toHaveAccessibleDescription('Valid email is required');
    expect(saysOf('Password')).toHaveAccessibleDescription('Password must be at least 8 characters');
    await user.clear(saysOf('Username'));
    await user.type(saysOf('Username'), 'deniz-a');
    await user.click(await findButton('Continue'));
    expect(saysOf('Username')).toHaveAccessibleDescription(
      'Username can only contain letters, numbers, and underscores',
    );
    await user.clear(saysOf('Username'));
    await user.type(saysOf('Username'), 'x'.repeat(31));
    await user.click(await findButton('Continue'));
    expect(saysOf('Username')).toHaveAccessibleDescription('Username cannot exceed 30 characters');
    expect(server.callsTo('POST /api/send-verification')).toEqual([]);
  });

  it('rejects an easily guessed password before emailing a code', async () => {
    const server = mockSignInApi(makeUser(), free);
    server.setResponse('POST /api/check-password', [200, { ok: false, message: 'This password is easy to guess.' }]);
    const { user } = await renderApp('/auth?mode=register');
    await fillIn(user);
    await waitFor(() =>
      expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
        expect.stringContaining('This password is easy to guess.'),
      ),
    );
    expect(screen.getByLabelText('Password')).toHaveFocus();
    expect(server.callsTo('POST /api/check-password')[0]?.body).toEqual({ ...details, password: 'correct horse' });
    expect(server.callsTo('POST /api/send-verification')).toEqual([]);
  });

  it('warns from the first step on when no email server is configured', async () => {
    mockSignInApi(makeUser(), { ...free, 'GET /api/site': [200, { sendsEmail: false }] });
    const { user } = await renderApp('/auth?mode=register');
    expect(await screen.findByRole('note')).toHaveTextContent(/you won’t get the email that you need/);
    await fillIn(user);
    expect(await screen.findByRole('heading', { level: 1, name: 'The email wasn’t sent' })).toBeInTheDocument();
  });

  it('requires a code of six digits', async () => {
    const server = mockSignInApi(makeUser(), free);
    const { user } = await renderApp('/auth?mode=register');
    await fillIn(user);
    await user.click(await findButton('Create Account'));
    expect(getToastText()).toContain('Verification code requiredPlease enter the 6-digit verification code');
    await user.type(screen.getByLabelText('Verification code'), '123');
    await user.click(await findButton('Create Account'));
    expect(screen.getByLabelText('Verification code')).toHaveAccessibleDescription(
      'Verification code must be 6 digits',
    );
    expect(server.callsTo('POST /api/register')).toEqual([]);
  });

  it('shows at the field that the code is wrong and sends a new one on request', async () => {
    const server = mockSignInApi(makeUser(), free);
    server.setResponse('POST /api/register', errorResponse(400, 'CODE_INVALID', 'This code is wrong or has expired.'));
    const { user } = await renderApp('/auth?mode=register');
    await fillIn(user);
    await user.type(await screen.findByLabelText('Verification code'), '000000');
    await user.click(await findButton('Create Account'));
    expect(await screen.findByText('Registration failed')).toBeInTheDocument();
    expect(screen.getByLabelText('Verification code')).toHaveAccessibleDescription(
      'This code is wrong or has expired.',
    );
    await user.click(await findButton('Send a New Code'));
    await waitFor(() => expect(server.callsTo('POST /api/send-verification')).toHaveLength(2));
  });

  it('returns to the details with all values kept when the server rejects one of them', async () => {
    const server = mockSignInApi(makeUser(), free);
    server.setResponse('POST /api/register', errorResponse(409, 'USERNAME_TAKEN', 'This username is already taken'));
    const { user } = await renderApp('/auth?mode=register');
    await fillIn(user);
    await user.type(await screen.findByLabelText('Verification code'), '123456');
    await user.click(await findButton('Create Account'));
    expect(await screen.findByText('This username is already taken')).toBeInTheDocument();
    expect(screen.getByLabelText('Username')).toHaveFocus();
    expect(screen.getByLabelText('First name')).toHaveValue('Deniz');
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse');
  });

  it('shows an error and keeps the details when the code can’t be sent', async () => {
    mockApi({
      ...signedOutResponses,
      ...free,
      'POST /api/send-verification': errorResponse(429, 'TOO_MANY_REQUESTS', 'Too many tries.'),
    });
    const { user } = await renderApp('/auth?mode=register');
    await fillIn(user);
    await waitFor(() => expect(getToastText()).toContain('Failed to send verificationToo many tries.'));
    expect(screen.getByLabelText('Email')).toHaveValue(details.email);
  });
});
