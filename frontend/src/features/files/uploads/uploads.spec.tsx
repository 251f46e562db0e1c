import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mockApi, makeUser, type MockResponse } from '../../../../test/api';
import { makeSubscriptionStatus } from '../../../../test/billing';
import { makeDashboardStats } from '../../../../test/dashboard-stats';
import { renderApp } from '../../../../test/render';
import { Upload } from '../../../../test/tus-client-mock';
import { makeZone } from '../../../../test/zones';

jest.mock('tus-js-client', () => jest.requireActual<object>('../../../../test/tus-client-mock'));

beforeEach(() => {
  localStorage.clear();
  Upload.reset();
});

const storedFile = (id: number, originalName: string) => ({
  id,
  name: originalName,
  originalName,
  mimeType: 'text/plain',
  size: 2 * 2 ** 20,
  viewCount: 0,
  downloadCount: 0,
  viewable: true,
  readOnly: false,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  can: { view: true, download: true, rename: true, delete: true },
});

async function openZone(
  files: object[] = [],
  more: Record<string, MockResponse> = {},
  zoneFields: Parameters<typeof makeZone>[0] = {},
) {
  const server = mockApi({
    ...more,
    'GET /api/user': [200, makeUser()],
    'GET /api/zones': [200, [makeZone(zoneFields)]],
    'GET /api/zones/7': [200, makeZone(zoneFields)],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/files': [200, files],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/dashboard/stats': [
      200,
      makeDashboardStats({ totalZones: 1, totalFiles: 1, totalMembers: 1, totalDownloads: 1, totalStorage: 1 }),
    ],
    'GET /api/dashboard/activity': [200, []],
  });
  const product = await renderApp('/zones/7');
  const input = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file][multiple]');
    if (!found) throw new Error('Nothing can be uploaded yet.');
    return found;
  });
  const choose = (...names: string[]) =>
    product.user.upload(
      input,
      names.map((name) => new File([new Uint8Array(2 * 2 ** 20)], name)),
    );
  const tray = () => screen.findByRole('region', { name: 'Uploads' });
  /** A group is one row until it is expanded. */
  const openDrop = async () => product.user.click(await screen.findByRole('button', { name: /^Show the files of/ }));
  return { ...product, server, choose, tray, openDrop };
}

/** Waits until this many uploads have started. */
const waitForStarted = (count: number) => waitFor(() => expect(Upload.instances).toHaveLength(count));
const MB = 2 ** 20;

describe('Upload tray', () => {
  it('shows the bytes sent for each file and in total', async () => {
    const { choose, tray, openDrop } = await openZone();
    await choose('a.txt', 'b.txt');
    expect(within(await tray()).getByRole('heading')).toHaveTextContent('Uploading 2 files');
    await openDrop();
    await waitForStarted(2);
    const [first] = Upload.instances;
    expect(first!.options).toMatchObject({
      endpoint: '/api/uploads',
      metadata: { filename: 'a.txt', zoneId: '7' },
      headers: { 'Accept-Language': 'en', 'X-Account': '1' },
    });
    first!.simulateProgress(MB / 2, 2 * MB);
    expect(await screen.findByText('0.50 of 2.00 MB')).toBeInTheDocument();
    expect(screen.getByText('0 of 2 files · 0.50 of 4.00 MB')).toBeInTheDocument();
    expect(screen.getByText(/^0\.50 of 4\.00 MB/)).toBeInTheDocument();
    expect(screen.getByRole('progressbar', { name: 'a.txt' })).toHaveAttribute('aria-valuenow', '25');
    expect(screen.getByRole('progressbar', { name: 'In total' })).toHaveAttribute('aria-valuenow', '12.5');
  });

  it.each([
    ['owner', true, true],
    ['owner', false, false],
    ['admin', true, false],
  ] as const)(
    'offers larger plans for a file that is too large, to an %s, if upgrade=%s',
    async (memberRole, upgrade, isOffered) => {
      const status = makeSubscriptionStatus();
      const responses: Record<string, MockResponse> = {
        'GET /api/subscription-status': [200, { ...status, can: { ...status.can, upgrade } }],
      };
      const { choose, tray } = await openZone([], responses, { memberRole, maxFileBytes: MB });
      await choose('a.txt');
      expect(await within(await tray()).findByText(/“a.txt” is larger than 1 MB/)).toBeInTheDocument();
      await waitFor(() => expect(screen.queryAllByRole('link', { name: 'See Plans' })).toHaveLength(isOffered ? 1 : 0));
    },
  );

  it('reloads the file list when a file is stored, reports success and closes', async () => {
    const { choose, tray, server, user } = await openZone();
    await choose('a.txt');
    await tray();
    await waitForStarted(1);
    server.setResponse('GET /api/zones/7/files', [200, [storedFile(1, 'a.txt')]]);
    Upload.instances[0]!.simulateUrlAvailable('/api/uploads/one');
    expect(localStorage.getItem('zonary.uploads')).toContain('/api/uploads/one');
    await Upload.instances[0]!.simulateSuccess();
    expect(localStorage.getItem('zonary.uploads')).toBe('[]');
    expect(await screen.findByRole('button', { name: 'a.txt' })).toBeInTheDocument();
    // Only once: not before the file is in the list, and not in both the tray and a toast.
    expect(await screen.findAllByText('Files uploaded successfully')).toHaveLength(1);
    expect(screen.getByText('Files uploaded successfully').parentElement).toHaveTextContent('a.txt');
    expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument();
    // The toast is global and would outlive this test.
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  });

  it('reports success only once the file is in the list', async () => {
    const { choose, tray, server } = await openZone();
    await choose('a.txt');
    await tray();
    await waitForStarted(1);
    const listed = Promise.withResolvers<MockResponse>();
    server.setResponse('GET /api/zones/7/files', () => listed.promise);
    Upload.instances[0]!.simulateUrlAvailable('/api/uploads/one');
    await Upload.instances[0]!.simulateSuccess();
    expect(within(await tray()).getByRole('heading')).toHaveTextContent('Saving…');
    expect(screen.queryByText('Files uploaded successfully')).not.toBeInTheDocument();
    listed.resolve([200, [storedFile(1, 'a.txt')]]);
    expect(await screen.findByText('Files uploaded successfully')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'a.txt' })).toBeInTheDocument();
  });

  it('continues uploading when the user navigates to another page', async () => {
    const { choose, tray, router } = await openZone();
    await choose('a.txt');
    await tray();
    await waitForStarted(1);
    await act(() => router.navigate('/dashboard'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    Upload.instances[0]!.simulateProgress(MB, 2 * MB);
    expect(within(await tray()).getAllByText(/1\.00 of 2\.00 MB/)).not.toHaveLength(0);
    expect(Upload.instances[0]!.aborted).toBe(false);
  });

  it('asks once about duplicate names before sending anything', async () => {
    const { choose, user } = await openZone([storedFile(1, 'Notes.txt')]);
    await screen.findByRole('button', { name: 'Notes.txt' });
    await choose('NOTES.txt', 'free.txt');
    const question = within(await screen.findByRole('dialog', { name: 'A file with this name is already here' }));
    expect(question.getByText('NOTES.txt')).toBeInTheDocument();
    await waitForStarted(1);
    expect(Upload.instances[0]!.file.name).toBe('free.txt');
    await user.click(question.getByRole('button', { name: 'Rename & Upload' }));
    await waitForStarted(2);
    expect(Upload.instances[1]!.options.metadata).toMatchObject({ filename: 'NOTES.txt', onConflict: 'rename' });
  });

  it('terminates an upload whose name was taken in the meantime', async () => {
    const { choose } = await openZone();
    await choose('a.txt');
    await waitForStarted(1);
    Upload.instances[0]!.simulateUrlAvailable('/api/uploads/one');
    await Upload.instances[0]!.simulateErrorResponse(409, { code: 'DUPLICATE_NAMES', message: 'Taken.' });
    expect(await screen.findByRole('dialog', { name: 'A file with this name is already here' })).toBeInTheDocument();
    await waitFor(() => expect(Upload.terminated).toEqual(['/api/uploads/one']));
  });

  it('shows the server’s reason for rejecting a file', async () => {
    const { choose, tray } = await openZone();
    await choose('a.txt');
    await tray();
    await waitForStarted(1);
    await Upload.instances[0]!.simulateErrorResponse(403, {
      code: 'PLAN_LIMIT',
      message: 'Your storage is full.',
      planLimit: true,
    });
    expect(await screen.findByText('Upload Failed: Your storage is full.')).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    expect(within(await tray()).getByRole('heading')).toHaveTextContent('1 file wasn’t uploaded');
  });

  it('resumes automatically from the last offset after a lost connection', async () => {
    const { choose } = await openZone();
    await choose('a.txt');
    await waitForStarted(1);
    Upload.instances[0]!.simulateUrlAvailable('/api/uploads/one');
    await Upload.instances[0]!.simulateConnectionLoss();
    expect(await screen.findByText('Connection lost. Resuming automatically…')).toBeInTheDocument();
    await waitForStarted(2);
    expect(Upload.instances[1]!.options.uploadUrl).toBe('/api/uploads/one');
    Upload.instances[1]!.simulateProgress(MB, 2 * MB);
    expect(await screen.findAllByText(/1\.00 of 2\.00 MB/)).toHaveLength(2);
  });

  it('pauses and resumes a single file and all files', async () => {
    const { choose, user, tray, openDrop } = await openZone();
    await choose('a.txt', 'b.txt');
    await waitForStarted(2);
    await openDrop();
    Upload.instances[0]!.simulateUrlAvailable('/api/uploads/one');
    Upload.instances[0]!.simulateProgress(MB, 2 * MB);
    await user.click(await screen.findByRole('button', { name: 'Pause upload of a.txt' }));
    expect(Upload.instances[0]!.aborted).toBe(true);
    expect(await screen.findByText('Paused at 1.00 of 2.00 MB')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Pause All' }));
    expect(within(await tray()).getByRole('heading')).toHaveTextContent('2 uploads are paused');
    expect(Upload.terminated).toEqual([]);
    Upload.instances[1]!.simulateUrlAvailable('/api/uploads/two');
    await user.click(screen.getByRole('button', { name: 'Resume All' }));
    await waitForStarted(4);
    const again = Upload.instances.slice(2).map(({ options }) => options.uploadUrl);
    expect(again.sort()).toEqual(['/api/uploads/one', '/api/uploads/two']);
  });

  it('stops cancelled uploads and terminates them on the server', async () => {
    const { choose, user, tray, openDrop } = await openZone();
    await choose('a.txt', 'b.txt');
    await tray();
    await waitForStarted(2);
    await openDrop();
    Upload.instances[0]!.simulateUrlAvailable('/api/uploads/one');
    await user.click(screen.getByRole('button', { name: 'Cancel upload of a.txt' }));
    expect(Upload.instances[0]!.aborted).toBe(true);
    await waitFor(() => expect(Upload.terminated).toEqual(['/api/uploads/one']));
    await user.click(screen.getByRole('button', { name: 'Cancel All' }));
    // Its URL is just being created, and must be known before the upload can be terminated.
    expect(Upload.instances[1]!.aborted).toBe(false);
    Upload.instances[1]!.simulateUrlAvailable('/api/uploads/two');
    expect(Upload.instances[1]!.aborted).toBe(true);
    await waitFor(() => expect(Upload.terminated).toEqual(['/api/uploads/one', '/api/uploads/two']));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument());
    expect(localStorage.getItem('zonary.uploads')).toBe('[]');
  });

  it('shows the sign-in form on an expired session and resumes after sign-in', async () => {
    const { choose, tray, user } = await openZone([], { 'POST /api/login': [200, makeUser()] });
    await choose('a.txt');
    await tray();
    await waitForStarted(1);
    await Upload.instances[0]!.simulateErrorResponse(401, { code: 'NOT_SIGNED_IN', message: 'Please sign in.' });
    await user.type(await screen.findByLabelText('Password'), 'a pass phrase');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await waitForStarted(2);
    expect(Upload.instances[1]!.file.name).toBe('a.txt');
  });
});

describe('Uploads interrupted by a reload', () => {
  const file = { name: 'a.txt', size: 2 * MB, type: '', lastModified: 5 };
  const rememberedUpload = (url: string, changes: object = {}) => ({
    url: `http://localhost${url}`,
    userId: 1,
    target: { zoneId: 7, folderId: null },
    onConflict: 'refuse',
    file,
    ...changes,
  });
  const openUpload = (location: string) => ({
    id: 'x',
    location,
    name: 'a.txt',
    zoneId: 7,
    length: 2 * MB,
    received: MB,
  });
  const remember = (...list: object[]) => localStorage.setItem('zonary.uploads', JSON.stringify(list));
  const chosenFile = (lastModified: number) => new File([new Uint8Array(2 * MB)], 'a.txt', { lastModified });

  it('wait for their file and resume from the server’s offset', async () => {
    remember(rememberedUpload('/api/uploads/one'), rememberedUpload('/api/uploads/of-somebody-else', { userId: 2 }));
    const { user, tray } = await openZone([], { 'GET /api/uploads': [200, [openUpload('/api/uploads/one')]] });
    expect(within(await tray()).getByRole('heading')).toHaveTextContent('1 upload was interrupted');
    expect(screen.getByRole('progressbar', { name: 'a.txt' })).toHaveAttribute('aria-valuenow', '50');
    const input = document.querySelector<HTMLInputElement>('input[aria-label="Choose a.txt again to resume"]')!;
    await user.upload(input, chosenFile(6));
    expect((await screen.findAllByText('Different File')).length).toBeGreaterThan(0);
    expect(Upload.instances).toEqual([]);
    await user.upload(input, chosenFile(5));
    await waitForStarted(1);
    expect(Upload.instances[0]!.options.uploadUrl).toBe('http://localhost/api/uploads/one');
    expect(localStorage.getItem('zonary.uploads')).toContain('of-somebody-else');
  });

  it('are terminated on the server when discarded', async () => {
    remember(rememberedUpload('/api/uploads/one'));
    const { user } = await openZone([], { 'GET /api/uploads': [200, [openUpload('/api/uploads/one')]] });
    await user.click(await screen.findByRole('button', { name: 'Discard upload of a.txt' }));
    await waitFor(() => expect(Upload.terminated).toEqual(['http://localhost/api/uploads/one']));
    expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument();
  });

  it('count as completed when the server already had all bytes', async () => {
    remember(rememberedUpload('/api/uploads/one'));
    const { server, tray } = await openZone([], { 'GET /api/uploads': [200, [openUpload('/api/uploads/one')]] });
    expect(within(await tray()).getByRole('heading')).toHaveTextContent('1 upload was interrupted');
    server.setResponse('GET /api/uploads', [200, []]);
    const callCount = server.callsTo('GET /api/zones/7/files').length;
    await waitFor(() =>
      expect(within(screen.getByRole('region', { name: 'Uploads' })).getByRole('heading')).not.toHaveTextContent(
        'interrupted',
      ),
    );
    await waitFor(() => expect(server.callsTo('GET /api/zones/7/files').length).toBeGreaterThan(callCount));
    expect(localStorage.getItem('zonary.uploads')).toBe('[]');
    expect(Upload.terminated).toEqual([]);
  });

  it('are hidden when unknown to the server, and terminated when a cancellation had not been sent', async () => {
    remember(rememberedUpload('/api/uploads/gone'), rememberedUpload('/api/uploads/dropped', { dropped: true }));
    await openZone([], { 'GET /api/uploads': [200, [openUpload('/api/uploads/dropped')]] });
    await waitFor(() => expect(Upload.terminated).toEqual(['http://localhost/api/uploads/dropped']));
    await waitFor(() => expect(localStorage.getItem('zonary.uploads')).toBe('[]'));
    expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument();
  });
});
