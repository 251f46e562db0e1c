import { screen, waitFor, within } from '@testing-library/react';
import { refusal, someone, type Answer } from '../../../test/api';
import { someStats } from '../../../test/figures';
import { openSettings, toastText } from '../../../test/settings';
import { leaving } from '../../shared/api/use-sign-out';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('the export', () => {
  it('says when it failed, and leaves no file', async () => {
    const saved = (URL.createObjectURL = jest.fn(() => 'blob:export'));
    const refused = refusal(429, 'TOO_MANY_REQUESTS', 'Too many exports.');
    const { region, user } = await openSettings('Your data', someone(), { 'GET /api/user/export': refused });
    await user.click(region.getByRole('button', { name: 'Export my data' }));
    await waitFor(() => expect(toastText()).toContain('Couldn’t export your dataToo many exports.'));
    expect(saved).not.toHaveBeenCalled();
  });
});

describe('deleting the account', () => {
  const goHome = jest.spyOn(leaving, 'goHome').mockImplementation(() => undefined);
  beforeEach(() => goHome.mockClear());

  const remove = 'DELETE /api/user';
  const stats: Record<string, Answer> = {
    'GET /api/dashboard/stats': [
      200,
      someStats({ totalZones: 3, totalFiles: 1, totalMembers: 1200, totalDownloads: 5, totalStorage: 1536 }),
    ],
  };

  async function open(answer: Answer, user = someone()) {
    const view = await openSettings('Your data', user, { ...stats, [remove]: answer });
    await view.user.click(view.region.getByRole('button', { name: 'Delete my account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }));
    const confirm = async () => {
      await view.user.type(dialog.getByLabelText('Type “deniz@example.org” to confirm'), 'deniz@example.org');
      await view.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
    };
    return { ...view, dialog, confirm };
  }

  it('names what goes with it', async () => {
    const { dialog } = await open([204], someone({ plan: 'creator' }));
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

  it('has the address typed first', async () => {
    const { server, dialog } = await open([204]);
    expect(dialog.getByRole('button', { name: 'Delete my account' })).toBeDisabled();
    expect(server.callsOf(remove)).toEqual([]);
  });

  it('asks who it is when the server wants to know, also somebody who has no password', async () => {
    const { server, confirm, user } = await open(refusal(403, 'CONFIRMATION_REQUIRED', 'Please confirm.'));
    server.answer('GET /api/user/confirm', [200, { ways: ['mail'] }]);
    server.answer('POST /api/user/confirm/mail', [200, { message: 'Sent.' }]);
    server.answer('POST /api/user/confirm', () => {
      server.answer(remove, [204]);
      return [200, { confirmedUntil: '2026-11-22T10:10:00.000Z' }];
    });
    await confirm();
    await user.click(await screen.findByRole('button', { name: 'Email Me a Code' }));
    await user.type(await screen.findByLabelText('6-digit code'), '123456{Enter}');
    await waitFor(() => expect(goHome).toHaveBeenCalledTimes(1));
    expect(server.callsOf(remove)).toHaveLength(2);
  });

  it('says why it is not possible', async () => {
    const { dialog, confirm } = await open(refusal(409, 'LAST_SUPER_ADMIN', 'You are the last super admin.'));
    await confirm();
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Couldn’t delete your account. You are the last super admin.',
    );
  });

  it('leads to the first page, which says that it is done', async () => {
    const { server, confirm } = await open([204]);
    await confirm();
    await waitFor(() => expect(goHome).toHaveBeenCalledTimes(1));
    expect(server.callsOf(remove)[0]?.body).toEqual({});
    expect(sessionStorage.getItem('zonary.toast')).toContain('Your account has been deleted');
  });

  it('can be left', async () => {
    const { server, dialog, user } = await open([204]);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(server.callsOf(remove)).toEqual([]);
  });
});
