import { screen } from '@testing-library/react';
import { mockApi, makeUser } from '../../../../test/api';
import { renderComponent } from '../../../../test/render';
import { SuppressedMembersCard } from './suppressed-card';

const path = 'GET /api/zones/7/suppressed-members';
const member = (userId: number, reason: 'failed' | 'complaint') => ({
  userId,
  email: `recipient${userId}@example.org`,
  reason,
  since: '2026-11-20T10:00:00.000Z',
  canLift: reason === 'failed',
});

describe('SuppressedMembersCard', () => {
  it('re-enables email for all members at once, except those who complained', async () => {
    const members = [member(1, 'failed'), member(2, 'failed'), member(3, 'complaint')];
    const server = mockApi({
      'GET /api/user': [200, makeUser()],
      [path]: [200, members],
      'POST /api/zones/7/suppressed-members/lift': [200, { lifted: 2 }],
    });
    const { user } = await renderComponent(<SuppressedMembersCard zoneId={7} />);
    const button = await screen.findByRole('button', { name: 'Email All Again (2)' });
    server.setResponse(path, [200, members.slice(2)]);
    await user.click(button);
    expect(await screen.findByText('2 members get emails again')).toBeInTheDocument();
    expect(screen.queryByText('recipient1@example.org')).not.toBeInTheDocument();
    expect(screen.getByText('recipient3@example.org')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /again/i })).not.toBeInTheDocument();
  });

  it('shows no button for all when there is only one member', async () => {
    mockApi({ 'GET /api/user': [200, makeUser()], [path]: [200, [member(1, 'failed')]] });
    await renderComponent(<SuppressedMembersCard zoneId={7} />);
    await screen.findByText('recipient1@example.org');
    expect(screen.queryByRole('button', { name: /Email All Again/ })).not.toBeInTheDocument();
  });
});
