import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';
import type { Suggestion } from './suggestion';
import { applyVote } from './use-vote';

const nothing = { update: false, delete: false, edit: false, vote: false, merge: false, unmerge: false };
const createSuggestion = (id: number, changes: Partial<Suggestion> = {}): Suggestion => ({
  id,
  title: `Wish ${id}`,
  description: 'Something that helps everybody.',
  category: 'feature',
  status: 'pending',
  priority: 'medium',
  submitterName: 'Nur Kaya',
  voteCount: 3,
  userVoted: false,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
  isOwn: false,
  adminNotes: null,
  estimatedHours: null,
  targetVersion: null,
  mergedInto: null,
  mergedCount: 0,
  can: { ...nothing, vote: true },
  ...changes,
});

const list = 'GET /api/feature-suggestions';
const show = async (suggestions: Suggestion[], more = {}, at = '/feature-suggestions') => {
  const server = mockApi({ 'GET /api/user': [200, makeUser()], [list]: [200, suggestions], ...more });
  return { server, ...(await renderApp(at)) };
};
const card = (name: string) => screen.findByRole('article', { name });
const vote = async (name: string) => within(await card(name)).findByRole('button', { name: /^Vote for/ });

beforeEach(() => localStorage.clear());

describe('Feature suggestion', () => {
  it('shows its details but hides the default priority', async () => {
    const full = { priority: 'high', adminNotes: 'In spring.', estimatedHours: 1, targetVersion: '2.1' } as const;
    await show([createSuggestion(1), createSuggestion(2, { ...full, isOwn: true, category: 'bug' })]);
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

  it('counts a vote at once and reverts it when the server rejects it', async () => {
    const { user, server } = await show([createSuggestion(1)], {
      'POST /api/feature-suggestions/1/vote': errorResponse(503, 'SERVICE_UNAVAILABLE', 'Please try again shortly.'),
    });
    const button = await vote('Wish 1');
    await user.click(button);
    expect(server.callsTo('POST /api/feature-suggestions/1/vote')).toHaveLength(1);
    await waitFor(() => expect(screen.getByText('Failed to update vote. Please try again.')).toBeInTheDocument());
    expect(button).toHaveAttribute('aria-pressed', 'false');
    expect(button).toHaveTextContent('3');
  });

  it('keeps a vote when the response to an earlier search arrives late', async () => {
    const late = Promise.withResolvers<void>();
    let counted = 3;
    const { user, server } = await show([createSuggestion(1)], {
      [list]: async () => {
        const before = counted;
        if (server.callsTo(list).length === 2) await late.promise;
        return [200, [createSuggestion(1, { voteCount: before, userVoted: before > 3 })]];
      },
      'POST /api/feature-suggestions/1/vote': () => [
        200,
        createSuggestion(1, { voteCount: ++counted, userVoted: true }),
      ],
    });
    await user.type(await screen.findByRole('searchbox', { name: 'Search suggestions' }), 'Wish');
    await waitFor(() => expect(server.callsTo(list)).toHaveLength(2));
    await user.click(await vote('Wish 1'));
    await waitFor(() => expect(server.callsTo('POST /api/feature-suggestions/1/vote')).toHaveLength(1));
    late.resolve();
    await waitFor(async () => expect(await vote('Wish 1')).toHaveAttribute('aria-pressed', 'true'));
    expect(await vote('Wish 1')).toHaveTextContent('4');
  });

  it('removes a vote that is withdrawn', async () => {
    const { user } = await show([createSuggestion(1, { userVoted: true })], {
      'DELETE /api/feature-suggestions/1/vote': [204],
    });
    const button = await vote('Wish 1');
    await user.click(button);
    await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'false'));
    expect(button).toHaveTextContent('2');
  });

  it('can be edited by users with permission', async () => {
    const { user, server } = await show([createSuggestion(1, { can: { ...nothing, update: true, vote: true } })], {
      'PATCH /api/feature-suggestions/1': [200, createSuggestion(1, { status: 'approved' })],
    });
    await user.click(await screen.findByRole('button', { name: 'Edit “Wish 1”' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Suggestion' });
    await user.selectOptions(within(dialog).getByLabelText('Status'), 'approved');
    await user.type(within(dialog).getByLabelText(/^Hours of work/), '201');
    await user.click(within(dialog).getByRole('button', { name: 'Save Changes' }));
    expect(await within(dialog).findByText('A whole number from 1 to 200')).toBeInTheDocument();
    await user.clear(within(dialog).getByLabelText(/^Hours of work/));
    await user.click(within(dialog).getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsTo('PATCH /api/feature-suggestions/1')[0]!.body).toMatchObject({
      status: 'approved',
      priority: 'medium',
      adminNotes: '',
      estimatedHours: null,
    });
  });
});

describe('Own feature suggestion', () => {
  const own = createSuggestion(1, { isOwn: true, can: { ...nothing, edit: true, vote: true } });

  it('can be reworded and withdrawn after a confirmation', async () => {
    const { user, server } = await show([own], {
      'PATCH /api/feature-suggestions/1/words': [200, own],
      'POST /api/feature-suggestions/1/withdraw': errorResponse(409, 'SUGGESTION_NOT_PENDING', 'It has been taken up.'),
    });
    await user.click(await screen.findByRole('button', { name: 'Edit your suggestion “Wish 1”' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Your Suggestion' }));
    await user.type(dialog.getByLabelText('Title'), ' and more');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Suggestion updated')).toBeInTheDocument();
    expect(server.callsTo('PATCH /api/feature-suggestions/1/words')[0]!.body).toEqual({
      title: 'Wish 1 and more',
      description: own.description,
      category: 'feature',
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Withdraw “Wish 1”' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByText('It has been taken up.')).toBeInTheDocument();
  });

  it('links to the suggestion it was merged into', async () => {
    const mergedInto = { id: 2, title: 'A calendar', voteCount: 5 };
    const { user, server, address } = await show([
      createSuggestion(1, { isOwn: true, mergedInto, can: nothing }),
      createSuggestion(2, { title: 'A calendar', voteCount: 5, mergedCount: 1 }),
    ]);
    expect(await card('Wish 1')).toHaveTextContent('Merged into: A calendar (5 votes)');
    expect(await card('A calendar')).toHaveTextContent('With 1 other suggestion merged into it');
    await user.click(within(await card('Wish 1')).getByRole('link', { name: 'A calendar' }));
    expect(address()).toBe('/feature-suggestions?q=A+calendar');
    expect(screen.getByRole('searchbox')).toHaveValue('A calendar');
    await waitFor(() => expect(server.callsTo(list).at(-1)!.query.get('q')).toBe('A calendar'));
  });

  it('offers similar suggestions to vote for while the title is typed', async () => {
    const like = createSuggestion(7, { title: 'A calendar for zones' });
    const { user, server } = await show([], {
      'GET /api/feature-suggestions/similar': [200, [like]],
      'POST /api/feature-suggestions/7/vote': [200, { ...like, voteCount: 4, userVoted: true }],
    });
    await user.click((await screen.findAllByRole('button', { name: 'Suggest Something' }))[0]!);
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Title'), 'A calendar');
    const found = within(await dialog.findByRole('list', { name: 'Others have suggested something similar' }));
    expect(server.callsTo('GET /api/feature-suggestions/similar').at(-1)!.query.get('title')).toBe('A calendar');
    await user.click(found.getByRole('button', { name: /^Vote for/ }));
    await waitFor(() =>
      expect(found.getByRole('button', { name: /^Vote for/ })).toHaveAttribute('aria-pressed', 'true'),
    );
  });

  it('accepts no votes once rejected', async () => {
    const can = nothing;
    await show([
      createSuggestion(1, { status: 'rejected', can }),
      createSuggestion(2, { status: 'rejected', can, userVoted: true }),
    ]);
    expect(await vote('Wish 1')).toBeDisabled();
    expect(await vote('Wish 2')).toBeEnabled();
  });
});

describe('Suggestion board', () => {
  it('keeps the selected tab in the URL and filters on the server', async () => {
    const { server, user, address } = await show([], {}, '/feature-suggestions?status=completed');
    expect(await screen.findByText('No suggestions found')).toBeInTheDocument();
    expect(server.callsTo(list).at(-1)!.query.get('status')).toBe('completed');
    await user.click(screen.getByRole('tab', { name: 'All' }));
    expect(await screen.findByText('No suggestions yet')).toBeInTheDocument();
    expect(server.callsTo(list).at(-1)!.query.has('status')).toBe(false);
    expect(address()).toBe('/feature-suggestions');
  });

  it('counts a vote only once', () => {
    const voted = applyVote(createSuggestion(1), true);
    expect(voted).toMatchObject({ voteCount: 4, userVoted: true });
    expect(applyVote(voted, true)).toBe(voted);
    expect(applyVote(voted, false)).toMatchObject({ voteCount: 3, userVoted: false });
  });
});
