import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { dashboardResponses, clearStorage, signedOutResponses } from '../../../test/sign-in';
import { getToastText } from '../../../test/settings';

const step = 'POST /api/login/factor';
const factorRequired = (...factors: string[]): MockResponse => [200, { requiresFactor: true, factors }];

beforeEach(clearStorage);

async function renderAfterPassword(response: MockResponse, factors = ['totp', 'recovery']) {
  const server = mockApi({
    ...signedOutResponses,
    ...dashboardResponses,
    'POST /api/login': factorRequired(...factors),
    [step]: response,
  });
  const view = await renderApp('/auth');
  await view.user.type(await screen.findByLabelText('Email'), 'deniz@example.org');
  await view.user.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'One More Step' });
  const succeed = () =>
    server.setResponse(step, () => {
      server.setResponse('GET /api/user', [200, makeUser()]);
      return [200, makeUser()];
    });
  return { ...view, server, succeed };
}

const invalidCode = errorResponse(400, 'CODE_INVALID', 'This code is wrong.');

describe('Second factor at sign-in', () => {
  it('submits the app’s code after its last digit, even pasted with a space, and marks a wrong code', async () => {
    const { user, server, succeed } = await renderAfterPassword(invalidCode);
    const field = screen.getByLabelText('6-digit code');
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    expect(field).toHaveAttribute('inputmode', 'numeric');
    await user.type(field, '12345');
    expect(server.callsTo(step)).toEqual([]);
    await user.type(field, '6');
    await waitFor(() => expect(field).toHaveAccessibleDescription('This code is wrong.'));
    succeed();
    await user.clear(field);
    await user.paste('654 321');
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(server.callsTo(step).map(({ body }) => body)).toEqual([{ code: '123456' }, { code: '654321' }]);
  });

  it('accepts a recovery code instead', async () => {
    const { user, server, succeed } = await renderAfterPassword(invalidCode);
    await user.click(screen.getByRole('button', { name: 'Use a Recovery Code' }));
    const field = screen.getByLabelText('Recovery code');
    expect(field).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(field).toHaveAccessibleDescription('Please enter a recovery code');
    succeed();
    await user.type(field, ' abcd-efgh {Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(server.callsTo(step)[0]?.body).toEqual({ recoveryCode: 'abcd-efgh' });
  });

  it('returns to sign-in when the attempt has expired', async () => {
    const { user } = await renderAfterPassword(errorResponse(401, 'SIGN_IN_OVER', 'This sign-in took too long.'));
    await user.type(screen.getByLabelText('6-digit code'), '123456');
    await waitFor(() => expect(getToastText()).toContain('Login failedThis sign-in took too long.'));
    expect(screen.getByRole('heading', { level: 1, name: 'Sign In' })).toBeInTheDocument();
  });

  it('explains what to do when the second factor is lost', async () => {
    const { user, server } = await renderAfterPassword(invalidCode);
    server.setResponse('GET /api/site', [404]);
    await user.click(screen.getByRole('button', { name: 'I’ve lost my phone or passkey' }));
    const hint = within(screen.getByRole('main')).getByText(/Sign in with a recovery code/);
    expect(hint).toBeInTheDocument();
    expect(screen.getByText(/If you don’t have a code, write to us/)).toBeInTheDocument();
  });

  it('continues after a redirect and leads to the requested page', async () => {
    const server = mockApi({
      ...signedOutResponses,
      ...dashboardResponses,
      'GET /api/login/factor': factorRequired('totp'),
      [step]: invalidCode,
    });
    server.setResponse(step, () => {
      server.setResponse('GET /api/user', [200, makeUser()]);
      return [200, makeUser()];
    });
    const { user, address } = await renderApp('/auth?step=factor&next=/zones');
    await user.type(await screen.findByLabelText('6-digit code'), '123456');
    await waitFor(() => expect(address()).toBe('/zones'));
  });

  it('returns to sign-in with an error when no sign-in is pending', async () => {
    mockApi({
      ...signedOutResponses,
      ...dashboardResponses,
      'GET /api/login/factor': errorResponse(401, 'SIGN_IN_OVER', 'This sign-in took too long.'),
    });
    await renderApp('/auth?step=factor');
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign In' })).toBeInTheDocument();
    expect(getToastText()).toContain('This sign-in took too long.');
  });
});
