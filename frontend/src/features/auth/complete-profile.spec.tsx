import { screen, waitFor, within } from '@testing-library/react';
import { notSignedIn, pretendApi, refusal, someone, type Answer } from '../../../test/api';
import { renderProduct } from '../../../test/render';

const newcomer = someone({ needsProfileCompletion: true, firstName: null, lastName: null, username: null });

beforeEach(() => localStorage.clear());

const save = async () => screen.findByRole('button', { name: 'Save and continue' });
const field = (label: string) => screen.getByLabelText(label);

function server(answer?: Answer) {
  const pretended = pretendApi({
    'GET /api/user': [200, newcomer],
    'GET /api/check-username/deniz': [200, { available: true, message: 'Username is available' }],
  });
  const done = someone();
  const succeed: Answer = () => {
    pretended.answer('GET /api/user', [200, done]);
    return [200, done];
  };
  pretended.answer('POST /api/complete-profile', answer ?? succeed);
  return pretended;
}

async function fillIn(user: Awaited<ReturnType<typeof renderProduct>>['user']) {
  await user.type(await screen.findByLabelText('First name'), 'Deniz');
  await user.type(field('Last name'), 'Acar');
  await user.type(field('Username'), 'deniz');
  await user.type(field('New password'), 'correct horse');
  await user.type(field('Confirm password'), 'correct horse');
  await user.click(await save());
}

describe('completing the profile', () => {
  it('saves names, username and password for the address of the session and goes on to the zone', async () => {
    const pretended = server();
    const { user, address } = await renderProduct('/complete-profile?zone=12');
    await fillIn(user);
    await waitFor(() => expect(address()).toBe('/zones/12'));
    expect(pretended.callsOf('POST /api/complete-profile')[0]?.body).toEqual({
      email: 'deniz@example.org',
      firstName: 'Deniz',
      lastName: 'Acar',
      username: 'deniz',
      newPassword: 'correct horse',
    });
    expect(screen.getByText('Profile Completed!')).toBeInTheDocument();
  });

  it('asks for an emailed code first when the session is not confirmed, and keeps what was typed', async () => {
    const { answer, callsOf } = server(refusal(403, 'CONFIRMATION_REQUIRED', 'Please confirm your identity first.'));
    const done = someone();
    answer('GET /api/user/confirm', [200, { ways: ['mail'] }]);
    answer('POST /api/user/confirm/mail', [200, { message: 'We have sent you a code.' }]);
    answer('POST /api/user/confirm', () => {
      answer('POST /api/complete-profile', () => {
        answer('GET /api/user', [200, done]);
        return [200, done];
      });
      return [200, { confirmedUntil: '2026-11-27T12:00:00.000Z' }];
    });
    const { user, address } = await renderProduct('/complete-profile?zone=12');
    await fillIn(user);
    const dialog = await screen.findByRole('dialog', { name: 'Confirm That It’s You' });
    await user.click(await within(dialog).findByRole('button', { name: 'Email Me a Code' }));
    await user.type(await within(dialog).findByLabelText('6-digit code'), '123456{Enter}');
    await waitFor(() => expect(address()).toBe('/zones/12'));
    const [first, second] = callsOf('POST /api/complete-profile').map(({ body }) => body);
    expect(second).toEqual(first);
  });

  it('goes on to the page that was asked for', async () => {
    server();
    const { user, address } = await renderProduct('/change-password?email=x&next=%2Fhome');
    await fillIn(user);
    await waitFor(() => expect(address()).toBe('/home'));
  });

  it('says what is not right with each field', async () => {
    server();
    const { user } = await renderProduct('/complete-profile');
    await user.click(await save());
    expect(field('First name')).toHaveAccessibleDescription('First name is required');
    expect(field('Last name')).toHaveAccessibleDescription('Last name is required');
    expect(field('Username')).toHaveAccessibleDescription('Username must be at least 3 characters');
    expect(field('New password')).toHaveAccessibleDescription('Password must be at least 8 characters long');
    await user.type(field('First name'), 'x'.repeat(51));
    await user.type(field('Last name'), 'x'.repeat(51));
    await user.type(field('Username'), 'x'.repeat(31));
    await user.type(field('New password'), 'correct horse');
    await user.type(field('Confirm password'), 'another horse');
    await user.click(await save());
    expect(field('First name')).toHaveAccessibleDescription('First name too long');
    expect(field('Last name')).toHaveAccessibleDescription('Last name too long');
    expect(field('Username')).toHaveAccessibleDescription('Username too long');
    expect(field('Confirm password')).toHaveAccessibleDescription("Passwords don't match");
  });

  it('marks the repeated password as soon as it differs, and no longer than it does', async () => {
    server();
    const { user } = await renderProduct('/complete-profile');
    await user.type(await screen.findByLabelText('New password'), 'correct horse');
    const repeated = field('Confirm password');
    await user.type(repeated, 'correct');
    expect(repeated).not.toBeInvalid();
    await user.type(repeated, '!');
    expect(repeated).toBeInvalid();
    expect(repeated).toHaveAccessibleDescription("Passwords don't match");
    await user.clear(repeated);
    await user.type(repeated, 'correct');
    await user.click(await save());
    expect(repeated).toBeInvalid();
    await user.clear(field('New password'));
    await user.type(field('New password'), 'correct');
    expect(repeated).not.toBeInvalid();
  });

  it('says at the username that somebody was faster', async () => {
    server(refusal(409, 'USERNAME_TAKEN', 'This username is already taken'));
    const { user } = await renderProduct('/complete-profile');
    await fillIn(user);
    await waitFor(() => expect(field('Username')).toHaveAccessibleDescription('This username is already taken'));
    expect(field('New password')).toHaveValue('correct horse');
  });

  it('asks to sign in again when the session has ended meanwhile', async () => {
    server(notSignedIn);
    const { user } = await renderProduct('/complete-profile');
    await fillIn(user);
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
  });

  it('is where every page of an unfinished account leads, and leads back', async () => {
    server();
    const { user, address } = await renderProduct('/dashboard');
    await fillIn(user);
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });

  it('does not ask a finished account', async () => {
    pretendApi({ 'GET /api/user': [200, someone()] });
    const { address } = await renderProduct('/complete-profile?next=%2Fhome');
    await waitFor(() => expect(address()).toBe('/home'));
  });

  it('leads a finished account that wants another password to the settings', async () => {
    pretendApi({ 'GET /api/user': [200, someone()] });
    const { router } = await renderProduct('/change-password?email=deniz%40example.org');
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'));
    expect(router.state.location.hash).toBe('#password');
  });

  it('asks who is signed out to sign in with the temporary password first', async () => {
    pretendApi({ 'GET /api/user': notSignedIn });
    await renderProduct('/change-password?email=deniz%40example.org');
    expect(await screen.findByText('Account Activation')).toBeInTheDocument();
    expect(field('Email')).toHaveValue('deniz@example.org');
  });
});

describe('somebody whose names are known', () => {
  const named = someone({ needsProfileCompletion: true, requiresPasswordChange: true });

  async function choose(user: Awaited<ReturnType<typeof renderProduct>>['user'], password: string, again = password) {
    await user.type(await screen.findByLabelText('New password'), password);
    await user.type(field('Confirm password'), again);
    await user.click(await save());
  }

  it('is asked for a password alone, and is led on', async () => {
    const pretended = pretendApi({ 'GET /api/user': [200, named] });
    pretended.answer('POST /api/change-password', () => {
      pretended.answer('GET /api/user', [200, someone()]);
      return [200, someone()];
    });
    const { user, address } = await renderProduct('/change-password?email=deniz%40example.org');
    expect(await screen.findByRole('heading', { name: 'Set your password' })).toBeInTheDocument();
    expect(screen.queryByLabelText('First name')).not.toBeInTheDocument();
    await choose(user, 'correct horse');
    await waitFor(() => expect(address()).toBe('/'));
    expect(pretended.callsOf('POST /api/change-password')[0]?.body).toEqual({
      email: 'deniz@example.org',
      newPassword: 'correct horse',
    });
    expect(screen.getByText('Password Changed')).toBeInTheDocument();
  });

  it('must choose eight characters, twice the same', async () => {
    const pretended = pretendApi({ 'GET /api/user': [200, named] });
    const { user } = await renderProduct('/complete-profile');
    await choose(user, 'seven77', 'another');
    expect(field('New password')).toHaveAccessibleDescription('Password must be at least 8 characters');
    expect(field('Confirm password')).toHaveAccessibleDescription("Passwords don't match");
    expect(pretended.callsOf('POST /api/change-password')).toEqual([]);
  });

  it('goes on when another tab was faster', async () => {
    const errors = { currentPassword: ['All fields are required'] };
    const pretended = pretendApi({ 'GET /api/user': [200, named] });
    pretended.answer('POST /api/change-password', () => {
      pretended.answer('GET /api/user', [200, someone()]);
      return refusal(400, 'VALIDATION_FAILED', 'Please check.', { errors });
    });
    const { user, address } = await renderProduct('/complete-profile?next=%2Fhome');
    await choose(user, 'correct horse');
    await waitFor(() => expect(address()).toBe('/home'));
  });
});
