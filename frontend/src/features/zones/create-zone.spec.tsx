import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

async function openCreateDialog(create: MockResponse) {
  const server = mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones': [200, []],
    'POST /api/zones': create,
  });
  const product = await renderApp('/zones');
  await product.user.click(await screen.findByRole('link', { name: 'Create Your First Zone' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Zone' }));
  return {
    ...product,
    server,
    dialog,
    send: () => product.user.click(dialog.getByRole('button', { name: 'Create Zone' })),
  };
}

describe('Creating a zone', () => {
  it('requires a name that is not blank', async () => {
    const { user, dialog, send, server } = await openCreateDialog([201, makeZone()]);
    await user.type(dialog.getByLabelText('Name'), '   ');
    await send();
    expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Zone name is required');
    expect(server.callsTo('POST /api/zones')).toEqual([]);
  });

  it('sends only the fields of a private zone and opens it', async () => {
    const { user, dialog, send, server, address } = await openCreateDialog([
      201,
      makeZone({ type: 'private', publicLink: null }),
    ]);
    await user.type(dialog.getByLabelText('Name'), ' Course ');
    await user.type(dialog.getByLabelText(/Description/), ' Twelve lessons ');
    await send();
    expect(await screen.findByText('Zone created')).toBeInTheDocument();
    expect(server.callsTo('POST /api/zones')[0]?.body).toEqual({
      name: 'Course',
      description: 'Twelve lessons',
      type: 'private',
    });
    await waitFor(() => expect(address()).toBe('/zones/7'));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('shows the link of a public zone to copy, with a confirmation for two seconds', async () => {
    const { user, dialog, send, server, address } = await openCreateDialog([201, makeZone({ name: 'Course' })]);
    await user.type(dialog.getByLabelText('Name'), 'Course');
    await user.click(dialog.getByRole('radio', { name: /Public/ }));
    await user.click(dialog.getByRole('checkbox', { name: /Require consent/ }));
    await send();
    const readyDialog = within(await screen.findByRole('dialog', { name: '“Course” is ready' }));
    expect(server.callsTo('POST /api/zones')[0]?.body).toMatchObject({ type: 'public', requiresEmailOptin: false });
    expect(readyDialog.getByLabelText('Public link')).toHaveValue('http://localhost/join/abc123');
    const write = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(readyDialog.getByRole('button', { name: 'Copy' }));
    expect(await readyDialog.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
    expect(write).toHaveBeenCalledWith('http://localhost/join/abc123');
    expect(await readyDialog.findByRole('button', { name: 'Copy' }, { timeout: 3000 })).toBeInTheDocument();
    expect(readyDialog.getByRole('link', { name: 'Open Zone' })).toHaveAttribute('href', '/zones/7');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(address()).toBe('/zones/7'));
  });

  it('shows the server’s plan limit message and keeps the entered values', async () => {
    const limit = { planLimit: true, limit: 'zones', used: 1, allowed: 1 };
    const { user, dialog, send } = await openCreateDialog(
      errorResponse(403, 'PLAN_LIMIT', 'Your plan allows 1 zone.', limit),
    );
    await user.type(dialog.getByLabelText('Name'), 'Second');
    await send();
    expect(await screen.findByRole('dialog', { name: 'Plan Limit Reached' })).toBeInTheDocument();
    const alert = await dialog.findByRole('alert', { hidden: true });
    expect(alert).toHaveTextContent('Plan Limit Reached');
    expect(alert).toHaveTextContent('Your plan allows 1 zone.');
    expect(dialog.getByLabelText('Name')).toHaveValue('Second');
  });

  it('shows other errors', async () => {
    const { user, dialog, send } = await openCreateDialog(errorResponse(500, 'INTERNAL', 'The server stumbled.'));
    await user.type(dialog.getByLabelText('Name'), 'Second');
    await send();
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to create zone');
  });
});
