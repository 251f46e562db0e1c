import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, refusal, someone } from '../../../test/api';
import { renderProduct } from '../../../test/render';
import { someZone } from '../../../test/zones';

beforeEach(() => localStorage.clear());

const alpha = someZone({ id: 1, name: 'Alpha', updatedAt: '2026-11-01T10:00:00.000Z' });
const beta = someZone({ id: 2, name: 'Beta', updatedAt: '2026-11-02T10:00:00.000Z' });

function withZones(more: Parameters<typeof pretendApi>[0] = {}) {
  return pretendApi({ 'GET /api/user': [200, someone()], 'GET /api/zones': [200, [alpha, beta]], ...more });
}

const names = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);

describe('the star of a zone', () => {
  it('shows at once and brings the zone to the front', async () => {
    let answer: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const server = withZones({
      'POST /api/zones/1/toggle-favorite': async () => {
        await answered;
        return [200, { isFavorite: true }];
      },
    });
    const { user } = await renderProduct('/zones');
    await screen.findByText('Alpha');
    expect(names()).toEqual(['Beta', 'Alpha']);
    await user.click(screen.getByRole('button', { name: 'Favourite: Alpha' }));
    await waitFor(() => expect(names()).toEqual(['Alpha', 'Beta']));
    expect(screen.getByRole('button', { name: 'Favourite: Alpha' })).toHaveAttribute('aria-pressed', 'true');
    answer?.();
    await waitFor(() => expect(server.callsOf('POST /api/zones/1/toggle-favorite')).toHaveLength(1));
    expect(names()).toEqual(['Alpha', 'Beta']);
  });

  it('is taken back when the server refuses', async () => {
    withZones({ 'POST /api/zones/1/toggle-favorite': refusal(503, 'UNAVAILABLE', 'Not now.') });
    const { user } = await renderProduct('/zones');
    await user.click(await screen.findByRole('button', { name: 'Favourite: Alpha' }));
    expect(await screen.findByText('Failed to update favorite status')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Favourite: Alpha' })).toHaveAttribute('aria-pressed', 'false');
    expect(names()).toEqual(['Beta', 'Alpha']);
  });
});

describe('the menu of a zone', () => {
  it('leads to another name, which a blank one cannot be', async () => {
    const server = withZones({ 'PATCH /api/zones/1': [200, { ...alpha, name: 'Gamma' }] });
    const { user } = await renderProduct('/zones');
    await user.click(await screen.findByRole('button', { name: 'Actions for Alpha' }));
    await user.click(screen.getByRole('menuitem', { name: 'Rename Zone' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Zone' }));
    const name = dialog.getByLabelText('Name');
    await waitFor(() => expect(name).toHaveFocus());
    await user.clear(name);
    await user.type(name, '  ');
    expect(dialog.getByRole('button', { name: 'Update Zone' })).toBeDisabled();
    await user.type(name, 'Gamma{Enter}');
    expect(await screen.findByText('Gamma')).toBeInTheDocument();
    expect(server.callsOf('PATCH /api/zones/1')[0]?.body).toEqual({ name: 'Gamma', version: 1 });
  });

  it('leads to another description, and keeps what was typed when that fails', async () => {
    withZones({ 'PATCH /api/zones/1': refusal(503, 'UNAVAILABLE', 'Not now.') });
    const { user } = await renderProduct('/zones');
    await user.click(await screen.findByRole('button', { name: 'Actions for Alpha' }));
    await user.click(screen.getByRole('menuitem', { name: 'Edit Description' }));
    const description = await screen.findByLabelText(/Description/);
    await waitFor(() => expect(description).toHaveFocus());
    await user.type(description, ' and more');
    await user.click(screen.getByRole('button', { name: 'Update Zone' }));
    expect(await screen.findByText('Failed to update zone')).toBeInTheDocument();
    expect(description).toHaveValue('Twelve lessons and more');
  });
});

describe('a new public zone', () => {
  it('can ask for approval of each who joins, and says what that means', async () => {
    const server = withZones({ 'POST /api/zones': [201, someZone({ id: 3, name: 'Closed circle' })] });
    const { user } = await renderProduct('/zones?create=zone');
    await user.type(await screen.findByLabelText('Name'), 'Closed circle');
    expect(screen.queryByLabelText(/Let people join immediately/)).not.toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: /Public/ }));
    await user.click(screen.getByLabelText(/Let people join immediately/));
    expect(screen.getByText(/You approve each join request/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Create Zone' }));
    await screen.findByRole('dialog', { name: '“Closed circle” is ready' });
    expect(server.callsOf('POST /api/zones')[0]?.body).toEqual({
      name: 'Closed circle',
      description: '',
      type: 'public',
      autoJoin: false,
      requiresEmailOptin: true,
    });
  });
});
