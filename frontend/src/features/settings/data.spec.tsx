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
    await waitFor(() => expect(toastText()).toContain('Your data could not be exportedToo many exports.'));
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
    const confirm = () => view.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
    return { ...view, dialog, confirm };
  }

  it('names what goes with it', async () => {
    const { dialog } = await open([204], someone({ plan: 'creator' }));
    await waitFor(() =>
      expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
        '3 zones, with all their files, folders and links',
        '1 file, 1.5 KB',
        'access for 1,200 members',
        'your place in zones of others',
        'your subscription',
        'your profile, API tokens and sessions',
      ]),
    );
  });

  it('asks for the password', async () => {
    const { server, dialog, confirm } = await open([204]);
    await confirm();
    expect(dialog.getByLabelText('Your password')).toHaveAccessibleDescription('Please enter your password.');
    expect(server.callsOf(remove)).toEqual([]);
  });

  it('says at the field that it is wrong', async () => {
    const { dialog, confirm, user } = await open(refusal(400, 'WRONG_PASSWORD', 'The current password is not right.'));
    await user.type(dialog.getByLabelText('Your password'), 'wrong');
    await confirm();
    await waitFor(() =>
      expect(dialog.getByLabelText('Your password')).toHaveAccessibleDescription('The current password is not right.'),
    );
    expect(goHome).not.toHaveBeenCalled();
  });

  it('says why it is not possible', async () => {
    const { dialog, confirm, user } = await open(refusal(409, 'LAST_SUPER_ADMIN', 'You are the last super admin.'));
    await user.type(dialog.getByLabelText('Your password'), 'correct horse');
    await confirm();
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Your account could not be deleted. You are the last super admin.',
    );
  });

  it('leads to the first page, which says that it is done', async () => {
    const { server, dialog, confirm, user } = await open([204]);
    await user.type(dialog.getByLabelText('Your password'), 'correct horse');
    await confirm();
    await waitFor(() => expect(goHome).toHaveBeenCalledTimes(1));
    expect(server.callsOf(remove)[0]?.body).toEqual({ password: 'correct horse' });
    expect(sessionStorage.getItem('zonary.toast')).toContain('Your account has been deleted');
  });

  it('can be left', async () => {
    const { server, dialog, user } = await open([204]);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(server.callsOf(remove)).toEqual([]);
  });
});
