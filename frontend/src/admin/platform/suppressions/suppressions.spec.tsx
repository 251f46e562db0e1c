import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser } from '../../../../test/api';
import { renderApp } from '../../../../test/render';

const timestamp = '2026-11-01T10:00:00.000Z';
const makeSuppression = (id: number, reason: 'failed' | 'complaint') => ({
  id,
  ownerId: 7,
  ownerEmail: 'nur@example.org',
  reason,
  createdAt: timestamp,
  canLift: reason === 'failed',
});
const LIFT_ROUTE = 'POST /api/admin/suppressions/lift';

async function openSuppressions() {
  const server = mockApi({
    'GET /api/user': [200, makeUser({ role: 'admin' })],
    'GET /api/admin/suppressions': [
      200,
      [makeSuppression(5, 'failed'), makeSuppression(4, 'complaint'), makeSuppression(3, 'failed')],
    ],
    [LIFT_ROUTE]: [200, { lifted: 2 }],
  });
  return { server, ...(await renderApp('/admin/suppressions')) };
}

beforeEach(() => localStorage.clear());

describe('Suppressed addresses', () => {
  it('can be selected and removed after a confirmation, except complaints', async () => {
    const { server, user } = await openSuppressions();
    await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
    expect(await screen.findByText('2 addresses selected')).toBeInTheDocument();
    expect(screen.queryByRole('checkbox', { name: 'Select entry 4' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remove Selected…' }));
    const confirmDialog = await screen.findByRole('dialog', { name: 'Send emails to the selected addresses again?' });
    expect(server.callsTo(LIFT_ROUTE)).toHaveLength(0);
    await user.click(within(confirmDialog).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('2 addresses get emails again')).toBeInTheDocument();
    expect(server.callsTo(LIFT_ROUTE)[0]!.body).toEqual({ ids: [5, 3] });
    expect(screen.queryByText('2 addresses selected')).not.toBeInTheDocument();
  });

  it('that bounced since a date can be removed at once, with an error on failure', async () => {
    const { server, user } = await openSuppressions();
    await user.click(await screen.findByRole('button', { name: 'Remove All Bounced Since…' }));
    const confirmDialog = within(await screen.findByRole('dialog'));
    await user.click(confirmDialog.getByRole('button', { name: 'Remove' }));
    expect(await confirmDialog.findByText('Please choose a day')).toBeInTheDocument();
    await user.type(confirmDialog.getByLabelText('Bounced since'), '2026-11-01');
    server.setResponse(LIFT_ROUTE, errorResponse(403, 'FORBIDDEN', "You don't have permission to do this."));
    await user.click(confirmDialog.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText("You don't have permission to do this.")).toBeInTheDocument();
    server.setResponse(LIFT_ROUTE, [200, { lifted: 0 }]);
    await user.click(confirmDialog.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('There were no addresses to remove')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(server.callsTo(LIFT_ROUTE).map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => ({ failedSince: '2026-11-01T00:00:00Z' })),
    );
  });
});
