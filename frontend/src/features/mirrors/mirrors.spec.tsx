import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

const otherZone = makeZone({ id: 8, name: 'Members only' });
const folder = (id: number, name: string, changes = {}) => ({ id, name, folderCount: 0, readOnly: false, ...changes });
const mirror = {
  id: 5,
  sourceFolderId: 21,
  sourceFolderName: 'Lessons',
  sourceZoneId: 7,
  sourceZoneName: 'Watercolour course',
  targetZoneId: 8,
  targetZoneName: 'Members only',
  targetFolderId: 31,
  targetFolderName: 'Course lessons',
  mirrorType: 'one_way',
  isActive: true,
  sourceInTrash: false,
};

function mockServer(more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones': [200, [makeZone(), otherZone]],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/zones/7/folder-mirrors': [200, []],
    'GET /api/zones/7/item-links': [200, []],
    'GET /api/zones/7/folders': ({ url }) =>
      new URL(url).searchParams.get('parentId') === '21'
        ? [200, [folder(22, 'First week')]]
        : [200, [folder(21, 'Lessons', { folderCount: 1 }), folder(23, 'From elsewhere', { readOnly: true })]],
    ...more,
  });
}

async function openDialog() {
  const view = await renderApp('/zones/7/share');
  await view.user.click(await screen.findByRole('button', { name: 'Create Mirror' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Folder Mirror' }));
  return { ...view, dialog, submit: () => view.user.click(dialog.getByRole('button', { name: 'Create Mirror' })) };
}

describe('Creating a mirror', () => {
  it('requires a folder, a target zone and a name', async () => {
    mockServer();
    const { dialog, user, submit } = await openDialog();
    await user.click(dialog.getByLabelText('Use same folder name'));
    await submit();
    expect(dialog.getByText('Please select a folder')).toBeInTheDocument();
    expect(dialog.getByLabelText('Target zone')).toHaveAccessibleDescription('Please select a target zone');
    expect(dialog.getByLabelText('Target folder name')).toHaveAccessibleDescription('Please enter a folder name');
  });

  it('accepts a folder of any level, but not one that is itself a mirror', async () => {
    const server = mockServer({ 'POST /api/zones/7/folder-mirrors': [201, mirror] });
    const { dialog, user, submit } = await openDialog();
    await dialog.findByRole('radio', { name: 'Lessons' });
    expect(dialog.queryByText('From elsewhere')).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Open Lessons' }));
    await user.click(await dialog.findByRole('radio', { name: 'First week' }));
    await user.selectOptions(dialog.getByLabelText('Target zone'), 'Members only');
    await submit();
    expect(await screen.findByText('Mirror Created')).toBeInTheDocument();
    expect(server.callsTo('POST /api/zones/7/folder-mirrors')[0]?.body).toEqual({
      sourceFolderId: 22,
      targetZoneId: 8,
      targetFolderName: 'First week',
      mirrorType: 'one_way',
      isActive: true,
    });
  });

  it('asks for another name when the source’s name is taken in the target', async () => {
    mockServer({
      'POST /api/zones/7/folder-mirrors': errorResponse(409, 'DUPLICATE_NAMES', 'The name is taken there.'),
    });
    const { dialog, user, submit } = await openDialog();
    await user.click(await dialog.findByRole('radio', { name: 'Lessons' }));
    await user.selectOptions(dialog.getByLabelText('Target zone'), 'Members only');
    await submit();
    const name = await dialog.findByLabelText('Target folder name');
    expect(name).toHaveValue('Lessons');
    expect(name).toHaveAccessibleDescription('The name is taken there.');
  });

  it('shows an error when creation fails', async () => {
    mockServer({
      'POST /api/zones/7/folder-mirrors': errorResponse(409, 'DUPLICATE_MIRROR', 'It is mirrored there already.'),
    });
    const { dialog, user, submit } = await openDialog();
    await user.click(await dialog.findByRole('radio', { name: 'Lessons' }));
    await user.selectOptions(dialog.getByLabelText('Target zone'), 'Members only');
    await submit();
    expect(await screen.findByText('Failed to create folder mirror')).toBeInTheDocument();
    expect(screen.getByText('It is mirrored there already.')).toBeInTheDocument();
  });

  it('is not offered without a second zone', async () => {
    mockServer({ 'GET /api/zones': [200, [makeZone()]] });
    await renderApp('/zones/7/share');
    expect(await screen.findByText(/You need a second zone/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Create Mirror' })).not.toBeInTheDocument();
  });
});

describe('Mirror', () => {
  it('is deleted at once and restored by Undo', async () => {
    const server = mockServer({
      'GET /api/zones/7/folder-mirrors': [200, [mirror]],
      'DELETE /api/folder-mirrors/5': [204],
      'POST /api/zones/7/folder-mirrors': [201, mirror],
    });
    const { user } = await renderApp('/zones/7/share');
    expect(await screen.findByText('Shown in Members only')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Course lessons' })).toHaveAttribute('href', '/zones/8/folders/31');
    await user.click(screen.getByRole('button', { name: 'Delete mirror Course lessons' }));
    expect(await screen.findByText('Mirror Deleted')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(server.callsTo('POST /api/zones/7/folder-mirrors')).toHaveLength(1));
    expect(server.callsTo('POST /api/zones/7/folder-mirrors')[0]?.body).toEqual({
      sourceFolderId: 21,
      targetZoneId: 8,
      targetFolderName: 'Course lessons',
      isActive: true,
    });
    expect(await screen.findByText('Mirror Restored')).toBeInTheDocument();
  });
});
