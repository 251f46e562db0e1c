import { screen, waitFor, within } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../../test/api';
import { renderApp } from '../../../../test/render';
import { findButton, clearStorage, mockSignInApi } from '../../../../test/sign-in';

const email = 'deniz@example.org';
const mails = 'POST /api/sign-in-mails';
const codes = 'POST /api/sign-in-codes';
const links = 'POST /api/sign-in-links';
const check = 'POST /api/sign-in-links/check';
const responses = { [mails]: [200, { message: 'If this address has an account, it is on its way.' }] } as const;

beforeEach(clearStorage);

const requestSignInEmail = async (at = '/auth', more = {}) => {
  const server = mockSignInApi(makeUser(), { ...responses, ...more });
  const page = await renderApp(at);
  await page.user.type(await screen.findByLabelText('Email'), email);
  await page.user.click(await findButton('Email Me a Sign-In Link'));
  expect(screen.getByLabelText('Email')).toHaveValue(email);
  await page.user.click(await findButton('Send the Email'));
  await screen.findByLabelText('6-digit code');
  return { server, ...page };
};

describe('Sign-in by emailed code', () => {
  it('submits the code after its last digit and redirects to the requested page', async () => {
    const { server, user, address } = await requestSignInEmail('/auth?next=%2Fzones');
    expect(server.callsTo(mails)[0]?.body).toEqual({ email, next: '/zones' });
    expect(screen.getByText(/If deniz@example.org has an account/)).toBeInTheDocument();
    await user.type(screen.getByLabelText('6-digit code'), '123 456');
    await waitFor(() => expect(address()).toBe('/zones'));
    expect(server.callsTo(codes).map(({ body }) => body)).toEqual([{ email, code: '123456' }]);
  });

  it('does not promise an email when no email server is configured', async () => {
    await requestSignInEmail('/auth', { 'GET /api/site': [200, { sendsEmail: false }] });
    expect(screen.getByRole('heading', { level: 1, name: 'The email wasn’t sent' })).toBeInTheDocument();
    expect(await screen.findByRole('note')).toHaveTextContent(/so the email won’t arrive/);
    expect(screen.queryByText(/on its way/)).not.toBeInTheDocument();
  });

  it('shows at the field that the code is wrong and resubmits only a changed code', async () => {
    const { user, server } = await requestSignInEmail('/auth', {
      [codes]: errorResponse(400, 'CODE_INVALID', 'This code does not work.'),
    });
    await user.type(screen.getByLabelText('6-digit code'), '123456');
    await waitFor(() =>
      expect(screen.getByLabelText('6-digit code')).toHaveAccessibleDescription('This code does not work.'),
    );
    // The last digit has submitted it; Enter or the button would only use up another attempt.
    await user.keyboard('{Enter}');
    await user.click(await findButton('Sign In'));
    expect(server.callsTo(codes)).toHaveLength(1);
    await user.type(screen.getByLabelText('6-digit code'), '{Backspace}7');
    await waitFor(() => expect(server.callsTo(codes)).toHaveLength(2));
  });

  it('still asks for the code after a reload and lets the user enter another address', async () => {
    const first = await requestSignInEmail();
    first.unmount();
    const { user } = await renderApp('/auth');
    expect(await screen.findByLabelText('6-digit code')).toBeInTheDocument();
    await user.click(await findButton('Use Another Address'));
    expect(await screen.findByLabelText('Email')).toBeInTheDocument();
  });

  it('continues automatically when the link was opened in another tab', async () => {
    const { server, address } = await requestSignInEmail();
    server.setResponse('GET /api/user', [200, makeUser()]);
    window.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(address()).toBe('/'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
  });
});

describe('Sign-in link page', () => {
  const open = async (more: object, at = '/sign-in?token=abc&next=%2Fzones') => {
    const server = mockSignInApi(makeUser(), { [check]: [200, { usable: true }], ...more });
    return { server, ...(await renderApp(at)) };
  };
  const act = () => within(screen.getByRole('main')).findByRole('button', { name: 'Sign In' });

  it('signs in only after its button is clicked', async () => {
    const { server, user, address } = await open({});
    const action = await act();
    expect(server.callsTo(links)).toEqual([]);
    await user.click(action);
    await waitFor(() => expect(address()).toBe('/zones'));
    expect(server.callsTo(links)[0]?.body).toEqual({ token: 'abc' });
  });

  it('asks for the second factor', async () => {
    const { user } = await open({ [links]: [200, { requiresFactor: true, factors: ['totp'] }] });
    await user.click(await act());
    expect(await screen.findByRole('heading', { name: 'One More Step' })).toBeInTheDocument();
  });

  it.each([
    ['is old', { [check]: [200, { usable: false }] }, '/sign-in?token=abc'],
    ['has no token', {}, '/sign-in'],
  ])('shows that the link no longer works when it %s', async (_what, more, at) => {
    await open(more, at);
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Sign-In' })).toHaveAttribute('href', '/auth');
  });

  it('shows that the link no longer works when it was used in the meantime', async () => {
    const { user } = await open({ [links]: errorResponse(400, 'TOKEN_INVALID', 'This link does not work.') });
    await user.click(await act());
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
  });
});
