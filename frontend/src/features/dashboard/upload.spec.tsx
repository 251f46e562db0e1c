import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { makeDashboardStats } from '../../../test/dashboard-stats';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

async function openPanel() {
  mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/dashboard/stats': [
      200,
      makeDashboardStats({ totalZones: 1, totalFiles: 0, totalMembers: 0, totalDownloads: 0, totalStorage: 0 }),
    ],
    'GET /api/dashboard/activity': [200, []],
    'GET /api/zones': [200, [makeZone()]],
  });
  const { user, address } = await renderApp('/dashboard');
  await user.click(await screen.findByRole('button', { name: 'Upload Files' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Upload Files' }));
  await dialog.findByLabelText('Zone');
  const chooseFile = (file: File) => user.upload(dialog.getByLabelText('Choose Files', { selector: 'input' }), file);
  return {
    user,
    dialog,
    address,
    chooseFile,
    submit: () => user.click(dialog.getByRole('button', { name: 'Upload' })),
  };
}

// Larger than the server allows, so that the tray rejects it without sending anything.
function hugeFile(): File {
  const file = new File(['x'], 'Film.mov');
  Object.defineProperty(file, 'size', { value: 101 * 2 ** 20 });
  return file;
}

describe('Upload panel of the dashboard', () => {
  it('requires files, then a zone', async () => {
    const { dialog, submit, chooseFile } = await openPanel();
    await submit();
    expect(await screen.findByText('No Files')).toBeInTheDocument();
    expect(screen.getByText('Please select files to upload')).toBeInTheDocument();
    await chooseFile(new File(['x'.repeat(2048)], 'Lesson.txt'));
    expect(dialog.getByRole('status')).toHaveTextContent('1 file, 2.0 KB');
    await submit();
    expect(await screen.findByText('No Zone Selected')).toBeInTheDocument();
    expect(screen.getByText('Please select a zone for the files')).toBeInTheDocument();
  });

  it('hands the files to the upload tray and closes', async () => {
    const { user, dialog, submit, chooseFile, address } = await openPanel();
    expect(address()).toBe('/dashboard?do=upload');
    await chooseFile(hugeFile());
    await user.selectOptions(dialog.getByLabelText('Zone'), 'Watercolour course');
    await submit();
    const tray = within(await screen.findByRole('region', { name: 'Uploads' }));
    expect(tray.getByText('Film.mov')).toBeInTheDocument();
    expect(address()).toBe('/dashboard');
  });
});

describe('Upload panel without a zone', () => {
  async function openFirst(create: MockResponse) {
    const server = mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/dashboard/stats': [200, makeDashboardStats()],
      'GET /api/dashboard/activity': [200, []],
      'GET /api/zones': [200, []],
      'POST /api/zones': create,
    });
    const { user } = await renderApp('/dashboard?do=upload');
    const dialog = within(await screen.findByRole('dialog', { name: 'Upload Files' }));
    await user.upload(await dialog.findByLabelText('Choose Files', { selector: 'input' }), hugeFile());
    const submit = await dialog.findByRole('button', { name: 'Create and Upload' });
    return { user, server, dialog, submit };
  }
  const findUploads = () => screen.findByRole('region', { name: 'Uploads' });

  it('creates a zone open to anyone with the link and uploads to it', async () => {
    const { user, server, dialog, submit } = await openFirst([201, makeZone({ name: 'My First Zone' })]);
    expect(dialog.getByLabelText('Zone name')).toHaveValue('My First Zone');
    expect(dialog.getByRole('radio', { name: /Anyone with the link/ })).toBeChecked();
    await user.click(submit);
    expect(within(await findUploads()).getByText('Film.mov')).toBeInTheDocument();
    expect(server.callsTo('POST /api/zones').map(({ body }) => body)).toEqual([
      { name: 'My First Zone', type: 'public' },
    ]);
  });

  it('creates an invite-only zone on request, trims its name and refreshes the onboarding checklist', async () => {
    const { user, server, dialog, submit } = await openFirst([201, makeZone({ type: 'private' })]);
    const countRequests = () => server.callsTo('GET /api/dashboard/start').length;
    const before = countRequests();
    await user.clear(dialog.getByLabelText('Zone name'));
    await user.type(dialog.getByLabelText('Zone name'), ' Lessons ');
    await user.click(dialog.getByRole('radio', { name: /Only people I invite/ }));
    await user.click(submit);
    await findUploads();
    expect(server.callsTo('POST /api/zones').map(({ body }) => body)).toEqual([{ name: 'Lessons', type: 'private' }]);
    await waitFor(() => expect(countRequests()).toBeGreaterThan(before));
  });

  it('creates only one zone on a double click', async () => {
    let release = () => {};
    const pending = new Promise<void>((resolve) => (release = resolve));
    const { server, submit } = await openFirst(async () => {
      await pending;
      return [201, makeZone()];
    });
    submit.click();
    submit.click();
    release();
    await findUploads();
    expect(server.callsTo('POST /api/zones')).toHaveLength(1);
  });

  it('keeps the files and the name when creating the zone fails and can be retried', async () => {
    const { user, server, dialog, submit } = await openFirst(errorResponse(500, 'INTERNAL', 'The server stumbled.'));
    await user.clear(dialog.getByLabelText('Zone name'));
    await user.click(submit);
    expect(dialog.getByLabelText('Zone name')).toHaveAccessibleDescription('Please give the zone a name.');
    await user.type(dialog.getByLabelText('Zone name'), 'Lessons');
    await user.click(submit);
    expect(await screen.findByText('Couldn’t create the zone')).toBeInTheDocument();
    expect(dialog.getByText(/^1 file/)).toBeInTheDocument();
    server.setResponse('POST /api/zones', [201, makeZone({ name: 'Lessons' })]);
    await user.click(dialog.getByRole('button', { name: 'Create and Upload' }));
    expect(within(await findUploads()).getByText('Film.mov')).toBeInTheDocument();
  });
});
