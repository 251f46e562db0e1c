import { act, screen, waitFor, within } from '@testing-library/react';
import { notSignedIn, pretendApi, refusal, someone, type Answer } from '../../../test/api';
import { someStats } from '../../../test/figures';
import { renderProduct } from '../../../test/render';

const signedOut: Record<string, Answer> = { 'GET /api/user': notSignedIn };
const dashboard: Record<string, Answer> = {
  'GET /api/dashboard/stats': [
    200,
    someStats({ totalZones: 0, totalFiles: 0, totalMembers: 0, totalDownloads: 0, totalStorage: 0 }),
  ],
  'GET /api/dashboard/activity': [200, []],
  'GET /api/zones': [200, []],
};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const button = (name: string) => screen.findByRole('button', { name });
const toastText = () => document.querySelector('.z-toaster')?.textContent;

/** A server on which signing in works; `answer` is that of the sign-in itself. */
function serverThatSignsIn(user = someone(), more: Record<string, Answer> = {}) {
  const server = pretendApi({ ...signedOut, ...dashboard, ...more });
  const succeed = (status: number): Answer => {
    return () => {
      server.answer('GET /api/user', [200, user]);
      return [status, user];
    };
  };
  server.answer('POST /api/login', succeed(200));
  server.answer('POST /api/register', succeed(201));
  return server;
}

async function signIn(user: Awaited<ReturnType<typeof renderProduct>>['user'], email = 'deniz@example.org') {
  const address = await screen.findByLabelText('Email');
  await user.clear(address);
  if (email) await user.type(address, email);
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  const main = within(screen.getByRole('main'));
  await user.click(main.getByRole('button', { name: 'Sign In' }));
}

describe('signing in', () => {
  it('welcomes and leads to the dashboard', async () => {
    const server = serverThatSignsIn();
    const { user, address } = await renderProduct('/auth');
    await signIn(user);
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(address()).toBe('/');
    expect(toastText()).toContain('Welcome back!You have successfully logged in.');
    expect(server.callsOf('POST /api/login')[0]?.body).toEqual({
      email: 'deniz@example.org',
      password: 'correct horse',
    });
  });

  it('says what is missing, with the first field in focus, and sends nothing', async () => {
    const server = pretendApi(signedOut);
    const { user } = await renderProduct('/login');
    await user.type(await screen.findByLabelText('Password'), 'five5');
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Sign In' }));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Email is required');
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password must be at least 6 characters');
    expect(server.callsOf('POST /api/login')).toEqual([]);
  });

  it("shows the server's refusal and keeps what was typed", async () => {
    pretendApi({ ...signedOut, 'POST /api/login': refusal(401, 'INVALID_CREDENTIALS', 'Invalid email or password') });
    const { user } = await renderProduct('/auth');
    await signIn(user);
    await waitFor(() => expect(toastText()).toContain('Login failedInvalid email or password'));
    expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse');
  });

  it('leads an unfinished account to its profile', async () => {
    serverThatSignsIn(someone({ needsProfileCompletion: true, firstName: null, username: null }));
    const { user, address } = await renderProduct('/auth');
    await signIn(user);
    expect(await screen.findByRole('heading', { name: 'Complete your profile' })).toBeInTheDocument();
    expect(address()).toBe('/change-password?email=deniz%40example.org');
    expect(toastText()).toContain('Complete Your ProfilePlease complete your profile to get started.');
  });

  it('asks who comes with a temporary password to set one', async () => {
    serverThatSignsIn(someone({ needsProfileCompletion: true }));
    const { user, address } = await renderProduct('/auth?temp=true&email=deniz%40example.org');
    expect(await screen.findByText('Account Activation')).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveValue('deniz@example.org');
    await signIn(user);
    await waitFor(() => expect(address()).toBe('/change-password?email=deniz%40example.org'));
    expect(toastText()).toContain('Please set your passwordPlease create a secure password for your account.');
  });

  it('leads to the page that was asked for, never to a strange one', async () => {
    serverThatSignsIn();
    const { user, address } = await renderProduct('/auth?next=https%3A%2F%2Felsewhere.example%2Fx');
    await signIn(user);
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('is not offered to who is signed in already', async () => {
    pretendApi({ ...dashboard, 'GET /api/user': [200, someone()] });
    const { address } = await renderProduct('/auth');
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('has a link from one form to the other, and the mode in the address', async () => {
    pretendApi(signedOut);
    const { user } = await renderProduct('/auth?mode=register');
    expect(await screen.findByRole('heading', { name: 'Create your account' })).toBeInTheDocument();
    await user.click(await button('Sign in'));
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
  });

  it('speaks Turkish', async () => {
    pretendApi(signedOut);
    const { user } = await renderProduct('/auth', { language: 'tr' });
    await user.click(within(await screen.findByRole('main')).getByRole('button', { name: 'Giriş Yap' }));
    expect(screen.getByLabelText('E-posta')).toHaveAccessibleDescription('E-posta zorunludur');
  });
});

describe('registering', () => {
  const details = { firstName: 'Deniz', lastName: 'Acar', username: 'deniz_a', email: 'deniz@example.org' };
  const free: Record<string, Answer> = {
    'GET /api/check-username/deniz_a': [200, { available: true, message: 'Username is available' }],
    'POST /api/send-verification': [200, { message: 'Please check your email.' }],
  };

  async function fillIn(user: Awaited<ReturnType<typeof renderProduct>>['user']) {
    await user.type(await screen.findByLabelText('First name'), details.firstName);
    await user.type(screen.getByLabelText('Last name'), details.lastName);
    await user.type(screen.getByLabelText('Username'), details.username);
    await user.type(screen.getByLabelText('Email'), details.email);
    await user.type(screen.getByLabelText('Password'), 'correct horse');
    await user.click(await button('Continue'));
  }

  it('sends a code, takes it, signs in and leads to the dashboard', async () => {
    const server = serverThatSignsIn(someone(), free);
    const { user, address } = await renderProduct('/auth?mode=register');
    await fillIn(user);
    expect(await screen.findByRole('heading', { name: 'Check your e-mail' })).toBeInTheDocument();
    expect(toastText()).toContain('Verification code sent!Please check your email for the 6-digit verification code.');
    await user.type(screen.getByLabelText('Verification code'), '12 34567');
    expect(screen.getByLabelText('Verification code')).toHaveValue('123456');
    await user.click(await button('Create Account'));
    await waitFor(() => expect(address()).toBe('/'));
    expect(toastText()).toContain('Account created!');
    expect(server.callsOf('POST /api/send-verification')[0]?.body).toEqual({ email: details.email });
    const sent = { ...details, password: 'correct horse', verificationCode: '123456' };
    expect(server.callsOf('POST /api/register')[0]?.body).toEqual(sent);
  });

  it('says what is not right with each field', async () => {
    const server = pretendApi(signedOut);
    const { user } = await renderProduct('/auth?mode=register');
    await user.type(await screen.findByLabelText('Username'), 'ab');
    await user.type(screen.getByLabelText('Email'), 'deniz');
    await user.type(screen.getByLabelText('Password'), 'seven77');
    await user.click(await button('Continue'));
    const saysOf = (label: string) => screen.getByLabelText(label);
    expect(saysOf('First name')).toHaveAccessibleDescription('First name is required');
    expect(saysOf('Last name')).toHaveAccessibleDescription('Last name is required');
    expect(saysOf('Username')).toHaveAccessibleDescription('Username must be at least 3 characters');
    expect(saysOf('Email')).toHaveAccessibleDescription('Valid email is required');
    expect(saysOf('Password')).toHaveAccessibleDescription('Password must be at least 8 characters');
    await user.clear(saysOf('Username'));
    await user.type(saysOf('Username'), 'deniz-a');
    await user.click(await button('Continue'));
    expect(saysOf('Username')).toHaveAccessibleDescription(
      'Username can only contain letters, numbers, and underscores',
    );
    await user.clear(saysOf('Username'));
    await user.type(saysOf('Username'), 'x'.repeat(31));
    await user.click(await button('Continue'));
    expect(saysOf('Username')).toHaveAccessibleDescription('Username cannot exceed 30 characters');
    expect(server.callsOf('POST /api/send-verification')).toEqual([]);
  });

  it('asks for the code when it is missing or short', async () => {
    const server = serverThatSignsIn(someone(), free);
    const { user } = await renderProduct('/auth?mode=register');
    await fillIn(user);
    await user.click(await button('Create Account'));
    expect(toastText()).toContain('Verification code requiredPlease enter the 6-digit verification code');
    await user.type(screen.getByLabelText('Verification code'), '123');
    await user.click(await button('Create Account'));
    expect(screen.getByLabelText('Verification code')).toHaveAccessibleDescription(
      'Verification code must be 6 digits',
    );
    expect(server.callsOf('POST /api/register')).toEqual([]);
  });

  it('says at the code that it was wrong, and sends a new one', async () => {
    const server = serverThatSignsIn(someone(), free);
    server.answer('POST /api/register', refusal(400, 'CODE_INVALID', 'This code is wrong or has expired.'));
    const { user } = await renderProduct('/auth?mode=register');
    await fillIn(user);
    await user.type(await screen.findByLabelText('Verification code'), '000000');
    await user.click(await button('Create Account'));
    expect(await screen.findByText('Registration failed')).toBeInTheDocument();
    expect(screen.getByLabelText('Verification code')).toHaveAccessibleDescription(
      'This code is wrong or has expired.',
    );
    await user.click(await button('Send a new code'));
    await waitFor(() => expect(server.callsOf('POST /api/send-verification')).toHaveLength(2));
  });

  it('goes back to the details when the server refuses one of them, with everything kept', async () => {
    const server = serverThatSignsIn(someone(), free);
    server.answer('POST /api/register', refusal(409, 'USERNAME_TAKEN', 'This username is already taken'));
    const { user } = await renderProduct('/auth?mode=register');
    await fillIn(user);
    await user.type(await screen.findByLabelText('Verification code'), '123456');
    await user.click(await button('Create Account'));
    expect(await screen.findByText('This username is already taken')).toBeInTheDocument();
    expect(screen.getByLabelText('Username')).toHaveFocus();
    expect(screen.getByLabelText('First name')).toHaveValue('Deniz');
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse');
  });

  it('says when the code could not be sent', async () => {
    pretendApi({
      ...signedOut,
      ...free,
      'POST /api/send-verification': refusal(429, 'TOO_MANY_REQUESTS', 'Too many tries.'),
    });
    const { user } = await renderProduct('/auth?mode=register');
    await fillIn(user);
    await waitFor(() => expect(toastText()).toContain('Failed to send verificationToo many tries.'));
    expect(screen.getByLabelText('Email')).toHaveValue(details.email);
  });
});

describe('the check of a username', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const after = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const field = () => screen.getByLabelText('Username');

  async function typing(text: string, answer: Answer) {
    const server = pretendApi({ ...signedOut, [`GET /api/check-username/${text}`]: answer });
    const view = await renderProduct('/auth?mode=register');
    await screen.findByLabelText('Username');
    await view.user.type(field(), text);
    return { ...view, asked: () => server.calls.filter(({ route }) => route.includes('check-username')) };
  }

  it('is made 500 ms after typing stops, once', async () => {
    const { asked } = await typing('deniz', [200, { available: true, message: 'Username is available' }]);
    await after(499);
    expect(asked()).toHaveLength(0);
    expect(field()).toHaveAccessibleDescription('Checking…');
    await after(1);
    await after(0);
    expect(asked()).toHaveLength(1);
    expect(field()).toHaveAccessibleDescription('Username is available');
  });

  it('is not made below three characters', async () => {
    const { asked } = await typing('de', [200, { available: true, message: '' }]);
    await after(2000);
    expect(asked()).toHaveLength(0);
  });

  it('keeps the form from being sent with a name that is taken', async () => {
    const { user } = await typing('deniz', [200, { available: false, message: 'This username is already taken' }]);
    await after(500);
    await after(0);
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription('This username is already taken');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(field()).toHaveAccessibleDescription('This username is already taken');
  });

  it('that fails counts the name as unavailable', async () => {
    await typing('deniz', [500]);
    await after(500);
    await after(0);
    expect(field()).toHaveAccessibleDescription('Error checking username');
    expect(field()).toBeInvalid();
  });
});
