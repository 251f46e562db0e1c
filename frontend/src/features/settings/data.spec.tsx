import { screen, waitFor, within } from '@testing-library/react';
import { errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { makeDashboardStats } from '../../../test/dashboard-stats';
import { openSettings, getToastText } from '../../../test/settings';
import { signOutRedirect } from '../../shared/api/use-sign-out';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('Data export', () => {
  it('shows an error and creates no file when it fails', async () => {
    const createObjectUrl = (URL.createObjectURL = jest.fn(() => 'blob:export'));
    const tooManyRequests = errorResponse(429, 'TOO_MANY_REQUESTS', 'Too many exports.');
    const { region, user } = await openSettings('Your Data', makeUser(), { 'GET /api/user/export': tooManyRequests });
    await user.click(region.getByRole('button', { name: 'Export My Data' }));
    await waitFor(() => expect(getToastText()).toContain('Couldn’t export your dataToo many exports.'));
    expect(createObjectUrl).not.toHaveBeenCalled();
  });
});

describe('Account deletion', () => {
  const goHome = jest.spyOn(signOutRedirect, 'goHome').mockImplementation(() => undefined);
  beforeEach(() => goHome.mockClear());

  const DELETE_ACCOUNT = 'DELETE /api/user';
  const stats: Record<string, MockResponse> = {
    'GET /api/dashboard/stats': [
      200,
      makeDashboardStats({ totalZones: 3, totalFiles: 1, totalMembers: 1200, totalDownloads: 5, totalStorage: 1536 }),
    ],
  };

  async function openDeleteDialog(response: MockResponse, user = makeUser()) {
    const page = await openSettings('Your Data', user, { ...stats, [DELETE_ACCOUNT]: response });
    await page.user.click(page.region.getByRole('button', { name: 'Delete My Account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }));
    const confirm = async () => {
      await page.user.type(dialog.getByLabelText('Type “deniz@example.org” to confirm'), 'deniz@example.org');
      await page.user.click(dialog.getByRole('button', { name: 'Delete My Account' }));
    };
    return { ...page, dialog, confirm };
  }

  it('lists what will be deleted', async () => {
    const { dialog } = await openDeleteDialog([204], makeUser({ plan: 'creator' }));
    await waitFor(() =>
      expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
        '3 zones, with all their files, folders and links',
        '1 file, 1.5 KB',
        'access for 1,200 members',
        'your memberships in other people’s zones',
        'your subscription',
        'your profile, API tokens and sessions',
      ]),
    );
  });

  it('keeps the delete button disabled until the email address is typed', async () => {
    const { server, dialog } = await openDeleteDialog([204]);
    expect(dialog.getByRole('button', { name: 'Delete My Account' })).toBeDisabled();
    expect(server.callsTo(DELETE_ACCOUNT)).toEqual([]);
  });

  it('asks for reauthentication on request, even without a password', async () => {
    const { server, confirm, user } = await openDeleteDialog(
      errorResponse(403, 'CONFIRMATION_REQUIRED', 'Please confirm.'),
    );
    server.setResponse('GET /api/user/confirm', [200, { ways: ['mail'] }]);
    server.setResponse('POST /api/user/confirm/mail', [200, { message: 'Sent.' }]);
    server.setResponse('POST /api/user/confirm', () => {
      server.setResponse(DELETE_ACCOUNT, [204]);
      return [200, { confirmedUntil: '2026-11-22T10:10:00.000Z' }];
    });
    await confirm();
    await user.click(await screen.findByRole('button', { name: 'Email Me a Code' }));
    await user.type(await screen.findByLabelText('6-digit code'), '123456{Enter}');
    await waitFor(() => expect(goHome).toHaveBeenCalledTimes(1));
    expect(server.callsTo(DELETE_ACCOUNT)).toHaveLength(2);
  });

  it('shows why it is not possible', async () => {
    const { dialog, confirm } = await openDeleteDialog(
      errorResponse(409, 'LAST_SUPER_ADMIN', 'You are the last super admin.'),
    );
    await confirm();
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Couldn’t delete your account. You are the last super admin.',
    );
  });

  it('redirects to the home page, which confirms the deletion', async () => {
    const { server, confirm } = await openDeleteDialog([204]);
    await confirm();
    await waitFor(() => expect(goHome).toHaveBeenCalledTimes(1));
    expect(server.callsTo(DELETE_ACCOUNT)[0]?.body).toEqual({});
    expect(sessionStorage.getItem('zonary.toast')).toContain('Your account has been deleted');
  });

  it('can be cancelled', async () => {
    const { server, dialog, user } = await openDeleteDialog([204]);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(server.callsTo(DELETE_ACCOUNT)).toEqual([]);
  });
});
