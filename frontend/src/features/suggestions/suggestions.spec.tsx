import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, refusal, someone } from '../../../test/api';
import { renderProduct } from '../../../test/render';
import type { Suggestion } from './suggestion';
import { afterVote } from './use-vote';

const wish = (id: number, changes: Partial<Suggestion> = {}): Suggestion => ({
  ...{ id, title: `Wish ${id}`, description: 'Something that helps everybody.', category: 'feature' },
  ...{ status: 'pending', priority: 'medium', submitterName: 'Nur Kaya', voteCount: 3, userVoted: false },
  ...{ createdAt: '2026-11-01T10:00:00.000Z', updatedAt: '2026-11-01T10:00:00.000Z', isOwn: false },
  ...{ adminNotes: null, estimatedHours: null, targetVersion: null, can: { update: false, delete: false } },
  ...changes,
});

const list = 'GET /api/feature-suggestions';
const show = async (wishes: Suggestion[], more = {}, at = '/feature-suggestions') => {
  const server = pretendApi({ 'GET /api/user': [200, someone()], [list]: [200, wishes], ...more });
  return { server, ...(await renderProduct(at)) };
};
const card = (name: string) => screen.findByRole('article', { name });
const vote = async (name: string) => within(await card(name)).findByRole('button', { name: /^Vote for/ });

beforeEach(() => localStorage.clear());

describe('a suggestion', () => {
  it('shows what is known of it, but not the priority that most have', async () => {
    const full = { priority: 'high', adminNotes: 'In spring.', estimatedHours: 1, targetVersion: '2.1' } as const;
    await show([wish(1), wish(2, { ...full, isOwn: true, category: 'bug' })]);
    const plain = await card('Wish 1');
    expect(plain).toHaveTextContent('PendingFeature');
    expect(plain).toHaveTextContent('Nur Kaya');
    expect(plain).not.toHaveTextContent(/priority|answer|hour/);
    const other = await card('Wish 2');
    for (const text of ['High priority', 'Bug', 'In spring.', '1 hour of work · Planned for 2.1', 'You']) {
      expect(other).toHaveTextContent(text);
    }
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
  });

  it('is voted for at once, and the vote goes back when it is not taken', async () => {
    const { user, server } = await show([wish(1)], {
      'POST /api/feature-suggestions/1/vote': refusal(503, 'SERVICE_UNAVAILABLE', 'Please try again shortly.'),
    });
    const button = await vote('Wish 1');
    await user.click(button);
    expect(server.callsOf('POST /api/feature-suggestions/1/vote')).toHaveLength(1);
    await waitFor(() => expect(screen.getByText('Failed to update vote. Please try again.')).toBeInTheDocument());
    expect(button).toHaveAttribute('aria-pressed', 'false');
    expect(button).toHaveTextContent('3');
  });

  it('loses the vote that is taken back', async () => {
    const { user } = await show([wish(1, { userVoted: true })], {
      'DELETE /api/feature-suggestions/1/vote': [204],
    });
    const button = await vote('Wish 1');
    await user.click(button);
    await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'false'));
    expect(button).toHaveTextContent('2');
  });

  it('is edited by those who may', async () => {
    const { user, server } = await show([wish(1, { can: { update: true, delete: false } })], {
      'PATCH /api/feature-suggestions/1': [200, wish(1, { status: 'approved' })],
    });
    await user.click(await screen.findByRole('button', { name: 'Edit “Wish 1”' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit suggestion' });
    await user.selectOptions(within(dialog).getByLabelText('Status'), 'approved');
    await user.type(within(dialog).getByLabelText(/^Hours of work/), '201');
    await user.click(within(dialog).getByRole('button', { name: 'Save changes' }));
    expect(await within(dialog).findByText('A whole number from 1 to 200')).toBeInTheDocument();
    await user.clear(within(dialog).getByLabelText(/^Hours of work/));
    await user.click(within(dialog).getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsOf('PATCH /api/feature-suggestions/1')[0]!.body).toMatchObject({
      ...{ status: 'approved', priority: 'medium', adminNotes: '', estimatedHours: null },
    });
  });
});

describe('the board', () => {
  it('asks the server for its tab, which stands in the address', async () => {
    const { server, user, address } = await show([], {}, '/feature-suggestions?status=completed');
    expect(await screen.findByText('Nothing found')).toBeInTheDocument();
    expect(server.callsOf(list).at(-1)!.query.get('status')).toBe('completed');
    await user.click(screen.getByRole('tab', { name: 'All' }));
    expect(await screen.findByText('No suggestions yet')).toBeInTheDocument();
    expect(server.callsOf(list).at(-1)!.query.has('status')).toBe(false);
    expect(address()).toBe('/feature-suggestions');
  });

  it('counts a vote once', () => {
    const voted = afterVote(wish(1), true);
    expect(voted).toMatchObject({ voteCount: 4, userVoted: true });
    expect(afterVote(voted, true)).toBe(voted);
    expect(afterVote(voted, false)).toMatchObject({ voteCount: 3, userVoted: false });
  });
});
