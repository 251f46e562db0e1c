import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, refusal, someone } from '../../../../test/api';
import { renderProduct } from '../../../../test/render';

const at = '2026-11-01T10:00:00.000Z';
const entry = (id: number, reason: 'failed' | 'complaint') => ({
  ...{ id, ownerId: 7, ownerEmail: 'nur@example.org', reason, createdAt: at, canLift: reason === 'failed' },
});
const path = 'POST /api/admin/suppressions/lift';

async function open() {
  const server = pretendApi({
    'GET /api/user': [200, someone({ role: 'admin' })],
    'GET /api/admin/suppressions': [200, [entry(5, 'failed'), entry(4, 'complaint'), entry(3, 'failed')]],
    [path]: [200, { lifted: 2 }],
  });
  return { server, ...(await renderProduct('/admin/suppressions')) };
}

beforeEach(() => localStorage.clear());

describe('suppressed addresses', () => {
  it('that were chosen are lifted at once, after a question; complaints cannot be chosen', async () => {
    const { server, user } = await open();
    await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
    expect(await screen.findByText('2 addresses selected')).toBeInTheDocument();
    expect(screen.queryByRole('checkbox', { name: 'Select entry 4' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remove Selected…' }));
    const question = await screen.findByRole('dialog', { name: 'Send emails to the selected addresses again?' });
    expect(server.callsOf(path)).toHaveLength(0);
    await user.click(within(question).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('2 addresses get emails again')).toBeInTheDocument();
    expect(server.callsOf(path)[0]!.body).toEqual({ ids: [5, 3] });
    expect(screen.queryByText('2 addresses selected')).not.toBeInTheDocument();
  });

  it('that failed since a day are lifted at once, and it is said when that did not work', async () => {
    const { server, user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Remove All Bounced Since…' }));
    const question = within(await screen.findByRole('dialog'));
    await user.click(question.getByRole('button', { name: 'Remove' }));
    expect(await question.findByText('Please choose a day')).toBeInTheDocument();
    await user.type(question.getByLabelText('Bounced since'), '2026-11-01');
    server.answer(path, refusal(403, 'FORBIDDEN', "You don't have permission to do this."));
    await user.click(question.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText("You don't have permission to do this.")).toBeInTheDocument();
    server.answer(path, [200, { lifted: 0 }]);
    await user.click(question.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('There were no addresses to remove')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(server.callsOf(path).map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => ({ failedSince: '2026-11-01T00:00:00Z' })),
    );
  });
});
