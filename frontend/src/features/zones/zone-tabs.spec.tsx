import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeForeignZone, makeZone } from '../../../test/zones';

function mockServer(zone = makeZone(), more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones': [200, [zone]],
    'GET /api/zones/7': [200, zone],
    'GET /api/zones/7/files': [200, []],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/zones/7/folder-mirrors': [200, []],
    'GET /api/zones/7/item-links': [200, []],
    ...more,
  });
}

describe('Tabs of a zone', () => {
  it('have their own URLs and are reached by arrow keys', async () => {
    mockServer();
    const { user, address } = await renderApp('/zones/7');
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

  it('are hidden from members, who are redirected to the files', async () => {
    mockServer(makeForeignZone());
    const { address } = await renderApp('/zones/7/share');
    await waitFor(() => expect(address()).toBe('/zones/7'));
    expect(screen.getByRole('heading', { level: 1, name: 'Watercolour course' })).toBeInTheDocument();
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
    expect(screen.queryByRole('tabpanel')).not.toBeInTheDocument();
  });

  it('show the member count, which the header shows to users who can’t see members', async () => {
    mockServer();
    const { unmount } = await renderApp('/zones/7');
    expect(await screen.findByRole('tab', { name: 'Members (12)' })).toBeInTheDocument();
    expect(screen.queryByText('12 members')).not.toBeInTheDocument();
    unmount();
    mockServer(makeForeignZone());
    await renderApp('/zones/7');
    expect(await screen.findByText('12 members')).toBeInTheDocument();
  });

  it('are limited to files and members for zone admins', async () => {
    const { can } = makeForeignZone();
    mockServer(
      makeForeignZone({ memberRole: 'admin', can: { ...can, manageFiles: true, invite: true, seeMembers: true } }),
    );
    await renderApp('/zones/7');
    const tabs = await screen.findAllByRole('tab');
    expect(tabs.map((tab) => tab.textContent)).toEqual(['Files', 'Members (12)']);
  });
});

describe('Zone of another owner', () => {
  it('records the visit, unlike an own zone', async () => {
    const server = mockServer(makeForeignZone(), { 'POST /api/zones/7/visits': [204] });
    const { unmount } = await renderApp('/zones/7');
    await waitFor(() => expect(server.callsTo('POST /api/zones/7/visits')).toHaveLength(1));
    unmount();
    const ownZoneServer = mockServer();
    await renderApp('/zones/7');
    await screen.findByRole('tab', { name: 'Settings' });
    expect(ownZoneServer.callsTo('POST /api/zones/7/visits')).toHaveLength(0);
    expect(screen.queryByRole('button', { name: 'More actions for this zone' })).not.toBeInTheDocument();
  });

  it('can be left from the menu in its header', async () => {
    const server = mockServer(makeForeignZone(), {
      'POST /api/zones/7/leave': () => {
        server.setResponse('GET /api/zones/7', errorResponse(404, 'ZONE_NOT_FOUND', 'Zone not found'));
        return [200, { zoneId: 7, isPublic: true }];
      },
      'GET /api/shared-zones': [200, []],
    });
    const { user, address } = await renderApp('/zones/7');
    await user.click(await screen.findByRole('button', { name: 'More actions for this zone' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Leave Zone' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Leave “Watercolour course”?' }));
    await user.click(dialog.getByRole('button', { name: 'Leave Zone' }));
    await waitFor(() => expect(address()).toBe('/shared-zones'));
    expect(await screen.findByText('Zone Left Successfully')).toBeInTheDocument();
    expect(server.callsTo('POST /api/zones/7/leave')).toHaveLength(1);
  });
});

describe('Zone settings', () => {
  it('are read-only for members', async () => {
    mockServer(makeForeignZone());
    await renderApp('/zones/7/settings');
    expect(await screen.findByText('Zone settings can only be adjusted by Zone Owner')).toBeInTheDocument();
    expect(screen.getByText('Public', { selector: 'dd' })).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByText('Danger Zone')).not.toBeInTheDocument();
  });

  it('show the consequences of making the zone private before saving', async () => {
    const server = mockServer(makeZone(), {
      'PATCH /api/zones/7': [200, makeZone({ type: 'private', isPrivate: true, publicLink: null })],
    });
    const { user } = await renderApp('/zones/7/settings');
    await user.click(await screen.findByRole('button', { name: 'Change…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Who Can Join This Zone' }));
    expect(dialog.getByRole('button', { name: 'Apply Changes' })).toBeDisabled();
    await user.click(dialog.getByRole('radio', { name: /Private/ }));
    expect(dialog.getByRole('status')).toHaveTextContent('The public link stops working immediately.');
    await user.click(dialog.getByRole('button', { name: 'Apply Changes' }));
    expect(await screen.findByText('Zone updated')).toBeInTheDocument();
    expect(server.callsTo('PATCH /api/zones/7')[0]?.body).toEqual({ type: 'private', version: 1 });
    expect(screen.getByText('Only people you let in can open it.')).toBeInTheDocument();
  });

  it('toggle at once whether visitors see file names', async () => {
    const server = mockServer(makeZone(), { 'PATCH /api/zones/7': [200, makeZone({ showFiles: false, version: 2 })] });
    const { user } = await renderApp('/zones/7/settings');
    const names = await screen.findByRole('checkbox', { name: 'Also show the names of up to six files' });
    expect(names).toBeChecked();
    await user.click(names);
    expect(await screen.findByText('Zone updated')).toBeInTheDocument();
    expect(server.callsTo('PATCH /api/zones/7')[0]?.body).toEqual({ showFiles: false, version: 1 });
    expect(names).not.toBeChecked();
    server.setResponse('PATCH /api/zones/7', [500]);
    await user.click(names);
    expect(await screen.findByText('Failed to update zone')).toBeInTheDocument();
    expect(names).not.toBeChecked();
  });

  it('toggle at once whether reading is recorded', async () => {
    const changedZone = makeZone({ recordsReading: false, version: 2 });
    const server = mockServer(makeZone(), { 'PATCH /api/zones/7': [200, changedZone] });
    const { user } = await renderApp('/zones/7/settings');
    const recording = await screen.findByRole('checkbox', { name: 'Record who opens files and what members read' });
    expect(recording).toBeChecked();
    await user.click(recording);
    expect(await screen.findByText('Zone updated')).toBeInTheDocument();
    expect(server.callsTo('PATCH /api/zones/7')[0]?.body).toEqual({ recordsReading: false, version: 1 });
    expect(recording).not.toBeChecked();
  });

  describe('changed elsewhere in the meantime', () => {
    const changedZone = (changes: object) => makeZone({ ...changes, version: 2 });
    const conflictResponse = errorResponse(
      409,
      'ZONE_CHANGED',
      "This zone has been changed elsewhere in the meantime. Your changes weren't saved.",
    );
    const open = async (now: ReturnType<typeof makeZone>) => {
      const server = mockServer(makeZone(), {
        'PATCH /api/zones/7': async (request) => {
          const { version, ...words } = (await request.json()) as { version: number };
          return version === now.version ? [200, { ...now, ...words, version: version + 1 }] : conflictResponse;
        },
      });
      const view = await renderApp('/zones/7/settings');
      const name = await screen.findByRole('textbox', { name: 'Name' });
      server.setResponse('GET /api/zones/7', [200, now]);
      await view.user.clear(name);
      await view.user.type(name, 'Oil course');
      await view.user.click(screen.getByRole('button', { name: 'Update Zone' }));
      return { ...view, bodies: () => server.callsTo('PATCH /api/zones/7').map(({ body }) => body) };
    };
    const name = () => screen.getByRole('textbox', { name: 'Name' });
    const description = () => screen.getByRole('textbox', { name: /^Description/ });

    it('keep changes others made to another field', async () => {
      const { bodies } = await open(changedZone({ description: 'Twenty lessons' }));
      expect(await screen.findByText('Zone updated')).toBeInTheDocument();
      expect(bodies()).toEqual([
        { name: 'Oil course', version: 1 },
        { name: 'Oil course', version: 2 },
      ]);
      expect(description()).toHaveValue('Twenty lessons');
      expect(name()).toHaveValue('Oil course');
    });

    it('show both values of the same field and save the user’s when chosen', async () => {
      const { user, bodies } = await open(changedZone({ name: 'Gouache course', description: 'Twenty lessons' }));
      const choice = within(await screen.findByRole('alert'));
      expect(choice.getByText('Gouache course')).toBeInTheDocument();
      expect(choice.queryByText('Twenty lessons')).not.toBeInTheDocument();
      expect(name()).toHaveValue('Oil course');
      await user.click(choice.getByRole('button', { name: 'Save Mine' }));
      expect(await screen.findByText('Zone updated')).toBeInTheDocument();
      expect(bodies().at(-1)).toEqual({ name: 'Oil course', version: 2 });
      expect(description()).toHaveValue('Twenty lessons');
      expect(screen.queryByRole('button', { name: 'Save Mine' })).not.toBeInTheDocument();
    });

    it('adopt the other value when chosen', async () => {
      const { user, bodies } = await open(changedZone({ name: 'Gouache course' }));
      await user.click(await screen.findByRole('button', { name: 'Use the Other Version' }));
      expect(name()).toHaveValue('Gouache course');
      expect(screen.getByRole('button', { name: 'Update Zone' })).toBeDisabled();
      expect(bodies()).toHaveLength(1);
    });
  });

  it('ask before unsaved changes are discarded', async () => {
    mockServer();
    const { user, address } = await renderApp('/zones/7/settings');
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' two');
    await user.click(screen.getByRole('tab', { name: 'Files' }));
    await user.click(await screen.findByRole('button', { name: 'Keep Editing' }));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Watercolour course two');
    expect(address()).toBe('/zones/7/settings');
    await user.click(screen.getByRole('tab', { name: 'Files' }));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(address()).toBe('/zones/7'));
  });

  it('delete the zone only once its name is typed', async () => {
    const server = mockServer(makeZone(), { 'DELETE /api/zones/7': [204] });
    const { user, address } = await renderApp('/zones/7/settings');
    await user.click(await screen.findByRole('button', { name: 'Delete Zone' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Watercolour course”?' }));
    expect(dialog.getByText('3 files')).toBeInTheDocument();
    expect(dialog.getByText('12 members')).toBeInTheDocument();
    expect(dialog.getByText('invitations, join requests, blocks, and settings')).toBeInTheDocument();
    expect(dialog.getByText(/^What’s kept: reports of sent campaigns/)).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Delete Zone' })).toBeDisabled();
    server.setResponse('GET /api/zones', [200, []]);
    await user.type(dialog.getByRole('textbox'), 'Watercolour course');
    await user.click(dialog.getByRole('button', { name: 'Delete Zone' }));
    await waitFor(() => expect(address()).toBe('/zones'));
    expect(await screen.findByText('“Watercolour course” deleted')).toBeInTheDocument();
    expect(await screen.findByText('No zones yet')).toBeInTheDocument();
  });

  it('warn before deleting a zone used by purchases and delete it once confirmed', async () => {
    const server = mockServer(makeZone(), {
      'DELETE /api/zones/7': errorResponse(409, 'ZONE_IN_USE', 'Purchases open this zone: 1 product of the shop.'),
    });
    const { user, address } = await renderApp('/zones/7/settings');
    await user.click(await screen.findByRole('button', { name: 'Delete Zone' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Watercolour course”?' }));
    await user.type(dialog.getByRole('textbox'), 'Watercolour course');
    await user.click(dialog.getByRole('button', { name: 'Delete Zone' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Purchases open this zone: 1 product of the shop.');
    server.setResponse('DELETE /api/zones/7', [204]);
    await user.click(dialog.getByRole('button', { name: 'Delete Anyway' }));
    await waitFor(() => expect(address()).toBe('/zones'));
    const confirmations = server.callsTo('DELETE /api/zones/7').map(({ query }) => query.get('evenIfUsed'));
    expect(confirmations).toEqual([null, 'true']);
  });
});
