import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

beforeEach(() => localStorage.clear());

const alpha = makeZone({ id: 1, name: 'Alpha', updatedAt: '2026-11-01T10:00:00.000Z' });
const beta = makeZone({ id: 2, name: 'Beta', updatedAt: '2026-11-02T10:00:00.000Z' });

function mockServer(more: Parameters<typeof mockApi>[0] = {}) {
  return mockApi({ 'GET /api/user': [200, makeUser()], 'GET /api/zones': [200, [alpha, beta]], ...more });
}

const getZoneNames = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);

describe('Favourite button of a zone', () => {
  it('takes effect at once and moves the zone to the front', async () => {
    let sendResponse: (() => void) | undefined;
    const responseSent = new Promise<void>((resolve) => (sendResponse = resolve));
    const server = mockServer({
      'POST /api/zones/1/toggle-favorite': async () => {
        await responseSent;
        return [200, { isFavorite: true }];
      },
    });
    const { user } = await renderApp('/zones');
    await screen.findByText('Alpha');
    expect(getZoneNames()).toEqual(['Beta', 'Alpha']);
    await user.click(screen.getByRole('button', { name: 'Favourite: Alpha' }));
    await waitFor(() => expect(getZoneNames()).toEqual(['Alpha', 'Beta']));
    expect(screen.getByRole('button', { name: 'Favourite: Alpha' })).toHaveAttribute('aria-pressed', 'true');
    sendResponse?.();
    await waitFor(() => expect(server.callsTo('POST /api/zones/1/toggle-favorite')).toHaveLength(1));
    expect(getZoneNames()).toEqual(['Alpha', 'Beta']);
  });

  it('reverts when the server rejects it', async () => {
    mockServer({ 'POST /api/zones/1/toggle-favorite': errorResponse(503, 'UNAVAILABLE', 'Not now.') });
    const { user } = await renderApp('/zones');
    await user.click(await screen.findByRole('button', { name: 'Favourite: Alpha' }));
    expect(await screen.findByText('Failed to update favorite status')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Favourite: Alpha' })).toHaveAttribute('aria-pressed', 'false');
    expect(getZoneNames()).toEqual(['Beta', 'Alpha']);
  });
});

describe('Menu of a zone', () => {
  it('renames the zone and rejects a blank name', async () => {
    const server = mockServer({ 'PATCH /api/zones/1': [200, { ...alpha, name: 'Gamma' }] });
    const { user } = await renderApp('/zones');
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
    expect(server.callsTo('PATCH /api/zones/1')[0]?.body).toEqual({ name: 'Gamma', version: 1 });
  });

  it('edits the description and keeps the entered text when saving fails', async () => {
    mockServer({ 'PATCH /api/zones/1': errorResponse(503, 'UNAVAILABLE', 'Not now.') });
    const { user } = await renderApp('/zones');
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

describe('Creating a public zone', () => {
  it('can require approval of join requests and explains it', async () => {
    const server = mockServer({ 'POST /api/zones': [201, makeZone({ id: 3, name: 'Closed circle' })] });
    const { user } = await renderApp('/zones?create=zone');
    await user.type(await screen.findByLabelText('Name'), 'Closed circle');
    expect(screen.queryByLabelText(/Let people join immediately/)).not.toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: /Public/ }));
    await user.click(screen.getByLabelText(/Let people join immediately/));
    expect(screen.getByText(/You approve each join request/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Create Zone' }));
    await screen.findByRole('dialog', { name: '“Closed circle” is ready' });
    expect(server.callsTo('POST /api/zones')[0]?.body).toEqual({
      name: 'Closed circle',
      description: '',
      type: 'public',
      autoJoin: false,
      requiresEmailOptin: true,
    });
  });
});
