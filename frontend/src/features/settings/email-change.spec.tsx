import { screen, waitFor, within } from '@testing-library/react';
import { refusal, someone } from '../../../test/api';
import { openSettings, toastText } from '../../../test/settings';

beforeEach(() => localStorage.clear());

const ask = 'POST /api/user/email';

describe('another address', () => {
  it('is asked for in a form of its own: the profile behind it is not saved with it', async () => {
    const { server, region, user } = await openSettings('Profile', someone(), {
      [ask]: [200, { message: 'We have written to the new address.' }],
    });
    await user.click(region.getByRole('button', { name: 'Change Email' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Your Email' }));
    await user.type(dialog.getByLabelText('New email'), ' new@example.org {Enter}');
    await waitFor(() => expect(toastText()).toContain('Check your new inboxWe have written to the new address.'));
    expect(server.callsOf(ask)[0]?.body).toEqual({ email: 'new@example.org' });
    expect(server.callsOf('PUT /api/user/profile')).toEqual([]);
  });

  it('must be another one, as the server says too', async () => {
    const { server, region, user } = await openSettings('Profile', someone(), {
      [ask]: refusal(409, 'EMAIL_UNCHANGED', 'This is your address already.'),
    });
    await user.click(region.getByRole('button', { name: 'Change Email' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Your Email' }));
    const field = dialog.getByLabelText('New email');
    await user.type(field, 'deniz@example.org{Enter}');
    expect(field).toHaveAccessibleDescription('Please enter the new email address');
    expect(server.callsOf(ask)).toEqual([]);
    await user.clear(field);
    await user.type(field, 'Deniz@Example.org{Enter}');
    await waitFor(() => expect(field).toHaveAccessibleDescription('This is your address already.'));
  });
});
