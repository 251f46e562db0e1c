import { screen, waitFor, within } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../test/api';
import { openSettings, getToastText } from '../../../test/settings';

beforeEach(() => localStorage.clear());

const REQUEST_EMAIL_CHANGE = 'POST /api/user/email';

describe('Email change', () => {
  it('uses a separate form and does not save the profile', async () => {
    const { server, region, user } = await openSettings('Profile', makeUser(), {
      [REQUEST_EMAIL_CHANGE]: [200, { message: 'We have written to the new address.' }],
    });
    await user.click(region.getByRole('button', { name: 'Change Email' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Your Email' }));
    await user.type(dialog.getByLabelText('New email'), ' new@example.org {Enter}');
    await waitFor(() => expect(getToastText()).toContain('Check your new inboxWe have written to the new address.'));
    expect(server.callsTo(REQUEST_EMAIL_CHANGE)[0]?.body).toEqual({ email: 'new@example.org' });
    expect(server.callsTo('PUT /api/user/profile')).toEqual([]);
  });

  it('requires a different address, as the server does', async () => {
    const { server, region, user } = await openSettings('Profile', makeUser(), {
      [REQUEST_EMAIL_CHANGE]: errorResponse(409, 'EMAIL_UNCHANGED', 'This is your address already.'),
    });
    await user.click(region.getByRole('button', { name: 'Change Email' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Your Email' }));
    const field = dialog.getByLabelText('New email');
    await user.type(field, 'deniz@example.org{Enter}');
    expect(field).toHaveAccessibleDescription('Please enter the new email address');
    expect(server.callsTo(REQUEST_EMAIL_CHANGE)).toEqual([]);
    await user.clear(field);
    await user.type(field, 'Deniz@Example.org{Enter}');
    await waitFor(() => expect(field).toHaveAccessibleDescription('This is your address already.'));
  });
});
