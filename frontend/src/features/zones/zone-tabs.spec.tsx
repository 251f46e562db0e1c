import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, someone, type Answer } from '../../../test/api';
import { renderProduct } from '../../../test/render';
import { someoneElsesZone, someZone } from '../../../test/zones';

function serve(zone = someZone(), more: Record<string, Answer> = {}) {
  return pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/zones': [200, [zone]],
    'GET /api/zones/7': [200, zone],
    'GET /api/zones/7/files': [200, []],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/zones/7/folder-mirrors': [200, []],
    ...more,
  });
}

describe('the parts of a zone', () => {
  it('have addresses of their own and are reached by arrow keys', async () => {
    serve();
    const { user, address } = await renderProduct('/zones/7');
    const files = await screen.findByRole('tab', { name: 'Files' });
    expect(files).toHaveAttribute('aria-selected', 'true');
    await user.click(files);
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'Share' })).toHaveFocus();
    expect(address()).toBe('/zones/7');
    await user.keyboard(' ');
    await waitFor(() => expect(address()).toBe('/zones/7/share'));
    expect(await screen.findByLabelText('Public link')).toHaveValue('http://localhost/join/abc123');
    expect(screen.getByRole('tabpanel', { name: 'Share' })).toBeInTheDocument();
  });

  it('have no share tab for a member, whom its address leads to the files', async () => {
    serve(someoneElsesZone());
    const { address } = await renderProduct('/zones/7/share');
    await waitFor(() => expect(address()).toBe('/zones/7'));
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Files', 'Members (12)', 'Settings']);
  });
});

describe('the settings of a zone', () => {
  it('can only be read by a member', async () => {
    serve(someoneElsesZone());
    await renderProduct('/zones/7/settings');
    expect(await screen.findByText('Zone settings can only be adjusted by Zone Owner')).toBeInTheDocument();
    expect(screen.getByText('Public', { selector: 'dd' })).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByText('Danger Zone')).not.toBeInTheDocument();
  });

  it('tell what comes of closing the zone before it is closed', async () => {
    const server = serve(someZone(), {
      'PATCH /api/zones/7': [200, someZone({ type: 'private', isPrivate: true, publicLink: null })],
    });
    const { user } = await renderProduct('/zones/7/settings');
    await user.click(await screen.findByRole('button', { name: 'Change…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Who can join this zone' }));
    expect(dialog.getByRole('button', { name: 'Apply Changes' })).toBeDisabled();
    await user.click(dialog.getByRole('radio', { name: /Private/ }));
    expect(dialog.getByRole('status')).toHaveTextContent('The public link stops working at once.');
    await user.click(dialog.getByRole('button', { name: 'Apply Changes' }));
    expect(await screen.findByText('Zone updated')).toBeInTheDocument();
    expect(server.callsOf('PATCH /api/zones/7')[0]?.body).toEqual({ type: 'private' });
    expect(screen.getByText('Only people whom you let in can open it.')).toBeInTheDocument();
  });

  it('delete the zone only once its name is typed', async () => {
    const server = serve(someZone(), { 'DELETE /api/zones/7': [204] });
    const { user, address } = await renderProduct('/zones/7/settings');
    await user.click(await screen.findByRole('button', { name: 'Delete Zone' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Watercolour course”?' }));
    expect(dialog.getByText('3 files')).toBeInTheDocument();
    expect(dialog.getByText('12 members')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Delete Zone' })).toBeDisabled();
    server.answer('GET /api/zones', [200, []]);
    await user.type(dialog.getByRole('textbox'), 'Watercolour course');
    await user.click(dialog.getByRole('button', { name: 'Delete Zone' }));
    await waitFor(() => expect(address()).toBe('/zones'));
    expect(await screen.findByText('“Watercolour course” was deleted')).toBeInTheDocument();
    expect(await screen.findByText('No zones yet')).toBeInTheDocument();
  });
});
