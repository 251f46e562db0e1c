import { waitFor } from '@testing-library/react';
import { refusal, someone } from '../../../test/api';
import { openSettings, toastText } from '../../../test/settings';

beforeEach(() => localStorage.clear());

const put = 'PUT /api/user/profile';
const open = async (accepted: boolean, more = {}) => {
  const page = await openSettings('Notifications', someone({ notifyAcceptedInvitations: accepted }), more);
  return { ...page, box: page.region.getByRole('checkbox', { name: 'When someone accepts an invitation' }) };
};

describe('the notice of accepted invitations', () => {
  it.each([
    [true, 'You won’t be notified about accepted invitations'],
    [false, 'You’ll be notified about accepted invitations'],
  ])('that is %s is turned over at once', async (before, told) => {
    const { server, user, box } = await open(before);
    expect((box as HTMLInputElement).checked).toBe(before);
    await user.click(box);
    await waitFor(() => expect(toastText()).toContain(told));
    expect(server.callsOf(put)[0]?.body).toEqual({ notifyAcceptedInvitations: !before });
    expect((box as HTMLInputElement).checked).toBe(!before);
  });

  it('stays what it was when it could not be saved', async () => {
    const { user, box } = await open(true, { [put]: refusal(503, 'BUSY', 'Please try again.') });
    await user.click(box);
    await waitFor(() => expect(toastText()).toContain('Update FailedPlease try again.'));
    await waitFor(() => expect(box).toBeChecked());
  });
});

describe('the news of the administration', () => {
  const asked = { name: /^Daily summary for administrators/ };

  it('can be wanted by administrators', async () => {
    const staff = await openSettings('Notifications', someone({ role: 'admin', notifyAdministration: false }));
    await staff.user.click(staff.region.getByRole('checkbox', asked));
    await waitFor(() => expect(staff.server.callsOf(put)[0]?.body).toEqual({ notifyAdministration: true }));
  });

  it('is nothing for others', async () => {
    const other = await openSettings('Notifications', someone());
    expect(other.region.queryByRole('checkbox', asked)).toBeNull();
  });
});
