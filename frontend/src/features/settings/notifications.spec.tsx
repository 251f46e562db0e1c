import { waitFor } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../test/api';
import { openSettings, getToastText } from '../../../test/settings';

beforeEach(() => localStorage.clear());

const UPDATE_PROFILE = 'PUT /api/user/profile';
const openNotifications = async (isEnabled: boolean, responses = {}) => {
  const page = await openSettings('Notifications', makeUser({ notifyAcceptedInvitations: isEnabled }), responses);
  return { ...page, box: page.region.getByRole('checkbox', { name: 'When someone accepts an invitation' }) };
};

describe('Notifications about accepted invitations', () => {
  it.each([
    [true, 'You won’t be notified about accepted invitations'],
    [false, 'You’ll be notified about accepted invitations'],
  ])('saves the toggle immediately when it was %s', async (wasEnabled, toastMessage) => {
    const { server, user, box } = await openNotifications(wasEnabled);
    expect((box as HTMLInputElement).checked).toBe(wasEnabled);
    await user.click(box);
    await waitFor(() => expect(getToastText()).toContain(toastMessage));
    expect(server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ notifyAcceptedInvitations: !wasEnabled });
    expect((box as HTMLInputElement).checked).toBe(!wasEnabled);
  });

  it('reverts the toggle when saving fails', async () => {
    const { user, box } = await openNotifications(true, {
      [UPDATE_PROFILE]: errorResponse(503, 'BUSY', 'Please try again.'),
    });
    await user.click(box);
    await waitFor(() => expect(getToastText()).toContain('Update FailedPlease try again.'));
    await waitFor(() => expect(box).toBeChecked());
  });
});

describe('Administration summary emails', () => {
  const dailySummary = { name: /^Daily summary for administrators/ };

  it('can be enabled by administrators', async () => {
    const adminPage = await openSettings('Notifications', makeUser({ role: 'admin', notifyAdministration: false }));
    await adminPage.user.click(adminPage.region.getByRole('checkbox', dailySummary));
    await waitFor(() =>
      expect(adminPage.server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ notifyAdministration: true }),
    );
  });

  it('are not offered to other users', async () => {
    const userPage = await openSettings('Notifications', makeUser());
    expect(userPage.region.queryByRole('checkbox', dailySummary)).toBeNull();
  });
});
