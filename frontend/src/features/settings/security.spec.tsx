import { screen, waitFor, within } from '@testing-library/react';
import { errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { openSettings, getToastText } from '../../../test/settings';

beforeEach(() => localStorage.clear());

describe('Password change', () => {
  const CHANGE_PASSWORD = 'POST /api/change-password';

  async function openSection(response: MockResponse = [200, makeUser()]) {
    const view = await openSettings('Password', makeUser(), { [CHANGE_PASSWORD]: response });
    const field = (label: string) => view.region.getByLabelText(label);
    const send = () => view.user.click(view.region.getByRole('button', { name: 'Change Password' }));
    const fillIn = async (current: string, next: string, again = next) => {
      await view.user.type(field('Current password'), current);
      await view.user.type(field('New password'), next);
      await view.user.type(field('Confirm new password'), again);
      await send();
    };
    return { ...view, field, send, fillIn };
  }

  it('requires the current password, clears the form and reloads the sessions', async () => {
    const { server, fillIn, field } = await openSection();
    await fillIn('old password', 'correct horse');
    await waitFor(() =>
      expect(getToastText()).toContain(
        'Password ChangedAll other devices have been signed out, and all API tokens have been deleted.',
      ),
    );
    expect(server.callsTo(CHANGE_PASSWORD)[0]?.body).toEqual({
      email: 'deniz@example.org',
      currentPassword: 'old password',
      newPassword: 'correct horse',
    });
    await waitFor(() => expect(field('Current password')).toHaveValue(''));
    await waitFor(() => expect(server.callsTo('GET /api/user/sessions')).toHaveLength(2));
  });

  it('requires no current password from a user without one, only afterwards', async () => {
    const view = await openSettings('Password', makeUser({ hasPassword: false }), {
      [CHANGE_PASSWORD]: [200, makeUser()],
    });
    const { region, server, user } = view;
    expect(region.getByText(/You don’t have a password yet/)).toBeInTheDocument();
    expect(region.queryByLabelText('Current password')).not.toBeInTheDocument();
    await user.type(region.getByLabelText('New password'), 'correct horse');
    await user.type(region.getByLabelText('Confirm new password'), 'correct horse');
    server.setResponse('GET /api/user', [200, makeUser()]);
    await user.click(region.getByRole('button', { name: 'Set Password' }));
    await waitFor(() => expect(getToastText()).toContain('Password Set'));
    expect(server.callsTo(CHANGE_PASSWORD)[0]?.body).toEqual({
      email: 'deniz@example.org',
      newPassword: 'correct horse',
    });
    expect(await region.findByLabelText('Current password')).toHaveValue('');
  });

  it('requires all fields', async () => {
    const { server, send, field, user } = await openSection();
    await user.type(field('New password'), 'correct horse');
    await send();
    expect(field('Current password')).toHaveAccessibleDescription('All fields are required');
    expect(field('Current password')).toHaveFocus();
    expect(field('Confirm new password')).toHaveAccessibleDescription('All fields are required');
    expect(server.callsTo(CHANGE_PASSWORD)).toEqual([]);
  });

  it('requires eight characters, repeated identically', async () => {
    const { server, fillIn, field } = await openSection();
    await fillIn('old password', 'seven77', 'another');
    expect(field('New password')).toHaveAccessibleDescription('Password must be at least 8 characters');
    expect(field('Confirm new password')).toHaveAccessibleDescription('New passwords do not match');
    expect(server.callsTo(CHANGE_PASSWORD)).toEqual([]);
  });

  it('shows at the field that the current password is wrong and keeps the entered values', async () => {
    const { fillIn, field } = await openSection(
      errorResponse(400, 'WRONG_PASSWORD', 'The current password is incorrect.'),
    );
    await fillIn('wrong', 'correct horse');
    await waitFor(() =>
      expect(field('Current password')).toHaveAccessibleDescription('The current password is incorrect.'),
    );
    expect(field('New password')).toHaveValue('correct horse');
  });

  it('shows an error when it fails', async () => {
    const { fillIn } = await openSection(errorResponse(429, 'TOO_MANY_REQUESTS', 'Too many tries.'));
    await fillIn('old password', 'correct horse');
    await waitFor(() => expect(getToastText()).toContain('Password Change FailedToo many tries.'));
  });
});

describe('Sessions', () => {
  const makeSession = (id: number, userAgent: string | null, isCurrent = false) => ({
    id,
    userAgent,
    current: isCurrent,
    ipAddress: '::ffff:10.0.0.7',
    createdAt: '2026-01-01T10:00:00.000Z',
    lastSeenAt: '2026-01-02T10:00:00.000Z',
    expiresAt: '2026-02-01T10:00:00.000Z',
  });
  const linuxUserAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
  const windowsUserAgent = 'Mozilla/5.0 (Windows NT 10.0; rv:144.0) Gecko/20100101 Firefox/144.0';
  const LIST_ROUTE = 'GET /api/user/sessions';
  const twoSessions = [makeSession(1, windowsUserAgent), makeSession(2, linuxUserAgent, true)];

  const openSection = (sessions: object[], more: Record<string, MockResponse> = {}) =>
    openSettings('Where You’re Signed In', makeUser(), { [LIST_ROUTE]: [200, sessions], ...more });

  it('are named by device, with the current one first', async () => {
    const { region } = await openSection(twoSessions);
    const [first, second] = await region.findAllByRole('listitem');
    expect(first).toHaveTextContent('Chrome on LinuxThis deviceActive now · signed in Jan 1, 2026 · 10.0.0.7');
    expect(within(first!).queryByRole('button')).not.toBeInTheDocument();
    expect(second).toHaveTextContent('Firefox on Windows');
  });

  it('can be ended one by one', async () => {
    const { region, server, user } = await openSection(twoSessions);
    server.setResponse('DELETE /api/user/sessions/1', () => {
      server.setResponse(LIST_ROUTE, [200, [twoSessions[1]]]);
      return [204];
    });
    await user.click(await region.findByRole('button', { name: 'Sign Out Firefox on Windows' }));
    await waitFor(() => expect(getToastText()).toContain('Firefox on Windows signed out'));
    await waitFor(() => expect(region.getAllByRole('listitem')).toHaveLength(1));
    expect(region.queryByRole('button', { name: 'Sign Out Everywhere Else' })).not.toBeInTheDocument();
    expect(region.getByText('You’re only signed in on this device.')).toBeInTheDocument();
  });

  it('can all be ended except the current one', async () => {
    const { region, server, user } = await openSection(twoSessions);
    server.setResponse('DELETE /api/user/sessions', () => {
      server.setResponse(LIST_ROUTE, [200, [twoSessions[1]]]);
      return [204];
    });
    await user.click(await region.findByRole('button', { name: 'Sign Out Everywhere Else' }));
    await waitFor(() => expect(getToastText()).toContain('Signed out everywhere else'));
    await waitFor(() => expect(region.getAllByRole('listitem')).toHaveLength(1));
  });

  it('are removed from the list when they had already ended', async () => {
    const sessionNotFound = errorResponse(404, 'SESSION_NOT_FOUND', 'This session has already ended.');
    const { region, server, user } = await openSection(twoSessions, { 'DELETE /api/user/sessions/1': sessionNotFound });
    const end = await region.findByRole('button', { name: 'Sign Out Firefox on Windows' });
    server.setResponse(LIST_ROUTE, [200, [twoSessions[1]]]);
    await user.click(end);
    await waitFor(() => expect(getToastText()).toContain('This session has already ended.'));
    await waitFor(() => expect(region.getAllByRole('listitem')).toHaveLength(1));
  });

  it('are shown five at a time', async () => {
    const sevenSessions = [1, 2, 3, 4, 5, 6, 7].map((id) => makeSession(id, null));
    const { region, user } = await openSection(sevenSessions);
    expect(await region.findAllByText('Unknown device')).toHaveLength(5);
    await user.click(region.getByRole('button', { name: 'Show 2 More' }));
    expect(region.getAllByText('Unknown device')).toHaveLength(7);
  });

  it('can be reloaded after an error', async () => {
    const { region, server, user } = await openSection([], { [LIST_ROUTE]: [503] });
    const retry = await region.findByRole('button', { name: 'Try Again' });
    server.setResponse(LIST_ROUTE, [200, twoSessions]);
    await user.click(retry);
    expect(await region.findAllByRole('listitem')).toHaveLength(2);
  });
});

describe('API Tokens', () => {
  const makeToken = (id: number, name: string, changes: object = {}) => ({
    id,
    name,
    scope: 'read',
    createdAt: '2026-01-01T10:00:00.000Z',
    expiresAt: '2999-01-01T10:00:00.000Z',
    lastUsedAt: null,
    ...changes,
  });
  const LIST_ROUTE = 'GET /api/user/tokens';
  const CREATE_TOKEN = 'POST /api/user/tokens';

  const openSection = (tokens: object[], more: Record<string, MockResponse> = {}, user = makeUser()) =>
    openSettings('API Tokens', user, { [LIST_ROUTE]: [200, tokens], ...more });

  it('are created and shown only once', async () => {
    const { region, server, user } = await openSection([]);
    expect(await region.findByText(/No tokens yet/)).toBeInTheDocument();
    server.setResponse(CREATE_TOKEN, () => {
      server.setResponse(LIST_ROUTE, [200, [makeToken(4, 'Backup')]]);
      return [201, { ...makeToken(4, 'Backup'), token: 'zonary_secret' }];
    });
    await user.click(region.getByRole('button', { name: 'New Token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New API Token' }));
    expect(dialog.getByLabelText('Read', { exact: false, selector: '[value=read]' })).toBeChecked();
    expect(dialog.queryByRole('radio', { name: /Administration/ })).not.toBeInTheDocument();
    await user.type(dialog.getByLabelText('Name'), ' Backup ');
    await user.selectOptions(dialog.getByLabelText('Expires in'), '90 days');
    await user.click(dialog.getByRole('radio', { name: /Read and write/ }));
    await user.click(dialog.getByRole('button', { name: 'Create Token' }));
    const tokenDialog = within(await screen.findByRole('dialog', { name: 'Copy Your Token Now' }));
    expect(tokenDialog.getByLabelText('API token')).toHaveValue('zonary_secret');
    expect(server.callsTo(CREATE_TOKEN)[0]?.body).toEqual({ name: 'Backup', expiresInDays: 90, scope: 'write' });
    await user.keyboard('{Escape}');
    await user.click(tokenDialog.getByRole('button', { name: 'Done' }));
    expect(await region.findByText('Backup')).toBeInTheDocument();
    expect(document.body).not.toHaveTextContent('zonary_secret');
  });

  it('require a name', async () => {
    const { region, server, user } = await openSection([]);
    await user.click(region.getByRole('button', { name: 'New Token' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Create Token' }));
    expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Please give the token a name.');
    expect(server.callsTo(CREATE_TOKEN)).toEqual([]);
  });

  it('offer the administration scope to administrators', async () => {
    const { region, user } = await openSection([], {}, makeUser({ role: 'admin' }));
    await user.click(region.getByRole('button', { name: 'New Token' }));
    expect(await screen.findByRole('radio', { name: /Administration/ })).toBeInTheDocument();
  });

  it('are revoked after a confirmation that shows their name', async () => {
    const { region, server, user } = await openSection([makeToken(4, 'Backup')]);
    server.setResponse('DELETE /api/user/tokens/4', () => {
      server.setResponse(LIST_ROUTE, [200, []]);
      return [204];
    });
    await user.click(await region.findByRole('button', { name: 'Revoke Backup' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke “Backup”?' }));
    expect(server.callsTo('DELETE /api/user/tokens/4')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(getToastText()).toContain('Token revoked'));
    expect(await region.findByText(/No tokens yet/)).toBeInTheDocument();
  });

  it('are marked as expired and then removed without confirmation', async () => {
    const expiredToken = makeToken(4, 'Backup', { expiresAt: '2026-01-05T10:00:00.000Z' });
    const { region, server, user } = await openSection([expiredToken], { 'DELETE /api/user/tokens/4': [204] });
    expect(await region.findByText(/Expired Jan 5, 2026 · never used/)).toBeInTheDocument();
    await user.click(region.getByRole('button', { name: 'Remove Backup' }));
    await waitFor(() => expect(server.callsTo('DELETE /api/user/tokens/4')).toHaveLength(1));
    await waitFor(() => expect(getToastText()).toContain('Token removed'));
  });
});
