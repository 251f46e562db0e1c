import { act, screen, waitFor, within } from '@testing-library/react';
import { mockApi, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { openSettings } from '../../../test/settings';
import { toApiError } from '../../shared/api/api-error';

const nameless = { firstName: null, lastName: null, username: null };
const incompleteUser = makeUser({ zoneCount: 0, needsProfileCompletion: true, isReader: true, ...nameless });

beforeEach(() => localStorage.clear());

const renderSignedIn = async (path: string) => {
  mockApi({
    'GET /api/user': [200, incompleteUser],
    'GET /api/shared-zones': [200, []],
    'GET /api/home': [200, { zones: [], continueReading: [], recentFiles: [], invitations: [] }],
  });
  return renderApp(path);
};

describe('User with an incomplete profile', () => {
  it('sees the shared zones as home and no actions they can’t perform', async () => {
    await renderSignedIn('/');
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(await screen.findByText('Nothing is shared with you yet')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Create Zone' })).not.toBeInTheDocument();
    const entries = within(await screen.findByRole('navigation')).getAllByRole('link');
    expect(entries.map(({ textContent }) => textContent)).toEqual(['Dashboard', 'Shared with Me', 'Settings']);
  });

  it('sees neither a plan nor member emails in the settings', async () => {
    await openSettings('Profile', incompleteUser);
    for (const name of ['Plan', 'Emails to Your Members']) {
      expect(screen.queryByRole('region', { name })).not.toBeInTheDocument();
      expect(screen.queryByRole('link', { name })).not.toBeInTheDocument();
    }
    expect(within(await screen.findByRole('complementary')).getAllByText(incompleteUser.email)).toHaveLength(1);
  });

  it('is offered a password once', async () => {
    const { user } = await renderSignedIn('/shared-zones');
    expect(await screen.findByRole('link', { name: 'Set a Password' })).toHaveAttribute(
      'href',
      '/complete-profile?next=%2Fshared-zones',
    );
    await user.click(screen.getByRole('button', { name: 'Don’t show this again' }));
    expect(screen.queryByRole('link', { name: 'Set a Password' })).toBeNull();
  });

  it('is told that an action requires a profile and stays on the page', async () => {
    const { user, address } = await renderSignedIn('/shared-zones');
    await screen.findByRole('link', { name: 'Set a Password' });
    act(() => void toApiError(403, JSON.stringify({ code: 'PROFILE_INCOMPLETE', message: 'Please complete it.' })));
    const dialog = await screen.findByRole('dialog', { name: 'Complete Your Profile First' });
    await user.click(within(dialog).getByRole('button', { name: 'Not Now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/shared-zones');
  });
});
