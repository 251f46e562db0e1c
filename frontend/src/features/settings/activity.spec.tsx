import { screen } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../test/api';
import { openSettings } from '../../../test/settings';

const SECURITY_ACTIVITY = 'GET /api/user/security-activity';
const entry = { id: 's1', kind: 'sign-in-failed', count: 12, network: '192.0.2.1', at: '2026-11-20T10:00:00.000Z' };

beforeEach(() => localStorage.clear());

describe('Recent activity', () => {
  it('shows what happened, how often, when and from where', async () => {
    const { region } = await openSettings('Recent Activity', makeUser(), {
      [SECURITY_ACTIVITY]: [
        200,
        [entry, { ...entry, id: 'a2', kind: 'user.password-changed', count: 1, network: null }],
      ],
    });
    const rows = await region.findAllByRole('listitem');
    expect(rows[0]).toHaveTextContent(/^Failed sign-in, 12 timesNov 20, 2026.* · 192\.0\.2\.1$/);
    expect(rows[1]).toHaveTextContent(/^Password changedNov 20, 2026/);
    expect(rows[1]).not.toHaveTextContent('·');
  });

  it('can be reloaded after an error', async () => {
    const { region, user, server } = await openSettings('Recent Activity', makeUser(), {
      [SECURITY_ACTIVITY]: errorResponse(500, 'INTERNAL', 'Something went wrong.'),
    });
    expect(await region.findByText('Couldn’t load your activity')).toBeInTheDocument();
    server.setResponse(SECURITY_ACTIVITY, [200, [entry]]);
    await user.click(region.getByRole('button', { name: /again|retry/i }));
    expect(await screen.findByText('Failed sign-in, 12 times')).toBeInTheDocument();
  });
});
