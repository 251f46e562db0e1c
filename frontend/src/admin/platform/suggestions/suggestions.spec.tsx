import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, makeUser } from '../../../../test/api';
import { renderApp } from '../../../../test/render';

const can = { update: true, delete: false, edit: false, vote: true, merge: true, unmerge: false };
const makeSuggestion = (id: number, title: string, changes: object = {}) => ({
  id,
  title,
  description: 'Something that helps everybody.',
  category: 'feature',
  status: 'pending',
  priority: 'medium',
  submitterName: 'Nur',
  submitterEmail: 'nur@example.org',
  voteCount: id,
  userVoted: false,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
  isOwn: false,
  adminNotes: null,
  estimatedHours: null,
  targetVersion: null,
  mergedInto: null,
  mergedCount: 0,
  can,
  ...changes,
});

describe('Suggestion administration', () => {
  beforeEach(() => localStorage.clear());

  it('merges suggestions with similar or searched ones and undoes the merge', async () => {
    const [one, other] = [makeSuggestion(1, 'Calendar'), makeSuggestion(2, 'A calendar for zones')];
    const merged = {
      ...one,
      mergedInto: { id: 3, title: 'Dates', voteCount: 4 },
      can: { ...can, update: false, merge: false, unmerge: true },
    };
    const server = mockApi({
      'GET /api/user': [200, makeUser({ role: 'admin' })],
      'GET /api/admin/feature-suggestions': [200, [one, other]],
      'GET /api/feature-suggestions/similar': [200, [one, other]],
      'GET /api/feature-suggestions': [
        200,
        [makeSuggestion(3, 'Dates'), makeSuggestion(4, 'Old dates', { mergedInto: merged.mergedInto })],
      ],
      'POST /api/feature-suggestions/1/merge': [200, merged],
      'DELETE /api/feature-suggestions/1/merge': [200, one],
    });
    const { user } = await renderApp('/admin/suggestions');
    await user.click(await screen.findByRole('button', { name: 'Merge “Calendar” into another one' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Merge “Calendar”' }));
    // Neither the suggestion itself nor merged ones are offered.
    expect((await dialog.findAllByRole('radio')).map((radio) => radio.closest('label')!.textContent)).toEqual([
      'A calendar for zonesPending · 2 votes',
    ]);
    expect(dialog.getByRole('button', { name: 'Merge' })).toBeDisabled();
    await user.type(dialog.getByRole('searchbox', { name: 'Find the other suggestion' }), 'dates');
    await user.click(await dialog.findByRole('radio', { name: /^Dates/ }));
    expect(dialog.getAllByRole('radio')).toHaveLength(1);
    server.setResponse('GET /api/admin/feature-suggestions', [200, [merged, other]]);
    await user.click(dialog.getByRole('button', { name: 'Merge' }));
    expect(await screen.findByText('Suggestions merged')).toBeInTheDocument();
    expect(server.callsTo('POST /api/feature-suggestions/1/merge')[0]!.body).toEqual({ intoId: 3 });
    const undo = await screen.findByRole('button', { name: 'Undo merging “Calendar”' });
    expect(screen.getByTitle('Merged into: Dates')).toHaveTextContent('Merged');
    expect(screen.queryByRole('button', { name: 'Edit “Calendar”' })).toBeNull();
    await user.click(undo);
    await waitFor(() => expect(server.callsTo('DELETE /api/feature-suggestions/1/merge')).toHaveLength(1));
    expect(await screen.findByText('Merge undone')).toBeInTheDocument();
  });
});
