import { act, screen, waitFor, within } from '@testing-library/react';
import { pretendApi, someone } from '../../../../test/api';
import { renderProduct } from '../../../../test/render';
import { someZone } from '../../../../test/zones';

/** Stands in for the browser's own, which alone tells how much of a body has been sent. */
class Sending {
  static all: Sending[] = [];
  static reset = () => (Sending.all = []);
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  status = 0;
  responseText = '';
  url = '';
  headers: Record<string, string> = {};
  form?: FormData;
  aborted = false;
  open = (_method: string, url: string) => void (this.url = url);
  setRequestHeader = (name: string, value: string) => void (this.headers[name] = value);
  getResponseHeader = () => null;
  send(form: FormData) {
    this.form = form;
    Sending.all.push(this);
  }
  abort() {
    this.aborted = true;
    this.onabort?.();
  }
  progress = (loaded: number, total: number) => act(() => this.upload.onprogress?.({ loaded, total }));
  async answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    await act(async () => {
      this.onload?.();
      this.onloadend?.();
    });
  }
  async lose() {
    await act(async () => {
      this.onerror?.();
      this.onloadend?.();
    });
  }
}

const real = globalThis.XMLHttpRequest;
beforeEach(() => {
  localStorage.clear();
  Sending.reset();
  globalThis.XMLHttpRequest = Sending as unknown as typeof XMLHttpRequest;
});
afterEach(() => {
  globalThis.XMLHttpRequest = real;
});

const stored = (id: number, originalName: string) => ({
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

async function open(files: object[] = []) {
  const server = pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/zones': [200, [someZone()]],
    'GET /api/zones/7': [200, someZone()],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/files': [200, files],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/dashboard/stats': [
      200,
      { totalZones: 1, totalFiles: 1, totalMembers: 1, totalDownloads: 1, totalStorage: 1 },
    ],
    'GET /api/dashboard/activity': [200, []],
  });
  const product = await renderProduct('/zones/7');
  const input = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!found) throw new Error('Nothing can be uploaded yet.');
    return found;
  });
  const choose = (...names: string[]) =>
    product.user.upload(
      input,
      names.map((name) => new File([new Uint8Array(2 * 2 ** 20)], name)),
    );
  const tray = () => screen.findByRole('region', { name: 'Uploads' });
  return { ...product, server, choose, tray };
}

describe('the upload tray', () => {
  it('shows what really has been sent, for each file and in total', async () => {
    const { choose, tray } = await open();
    await choose('a.txt', 'b.txt');
    expect(within(await tray()).getByRole('heading')).toHaveTextContent('Uploading 2 files');
    expect(Sending.all.map(({ url }) => url)).toEqual(['/api/zones/7/files?', '/api/zones/7/files?']);
    expect(Sending.all[0]?.form?.get('files')).toMatchObject({ name: 'a.txt' });
    expect(Sending.all[0]?.headers).toMatchObject({ 'Accept-Language': 'en' });
    Sending.all[0]?.progress(50, 200);
    expect(await screen.findByText('0.50 of 2.00 MB')).toBeInTheDocument();
    expect(screen.getByText(/0\.50 of 4\.00 MB/)).toBeInTheDocument();
    expect(screen.getByRole('progressbar', { name: 'a.txt' })).toHaveAttribute('aria-valuenow', '25');
    expect(screen.getByRole('progressbar', { name: 'In total' })).toHaveAttribute('aria-valuenow', '12.5');
  });

  it('asks for the list again when a file has arrived, says so, and clears itself', async () => {
    const { choose, tray, server } = await open();
    await choose('a.txt');
    await tray();
    server.answer('GET /api/zones/7/files', [200, [stored(1, 'a.txt')]]);
    await Sending.all[0]?.answer(201, [stored(1, 'a.txt')]);
    expect(await screen.findByRole('button', { name: 'a.txt' })).toBeInTheDocument();
    expect((await screen.findAllByText('Files uploaded successfully')).length).toBeGreaterThan(0);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument(), {
      timeout: 4000,
    });
  });

  it('survives going to another page', async () => {
    const { choose, tray, router } = await open();
    await choose('a.txt');
    await tray();
    await act(() => router.navigate('/dashboard'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    Sending.all[0]?.progress(100, 200);
    expect(within(await tray()).getAllByText(/1\.00 of 2\.00 MB/)).not.toHaveLength(0);
    expect(Sending.all[0]?.aborted).toBe(false);
  });

  it('asks once about names that are taken, before anything is sent', async () => {
    const { choose, user } = await open([stored(1, 'Notes.txt')]);
    await screen.findByRole('button', { name: 'Notes.txt' });
    await choose('NOTES.txt', 'free.txt');
    const question = within(await screen.findByRole('dialog', { name: 'A file of this name is already here' }));
    expect(question.getByText('NOTES.txt')).toBeInTheDocument();
    expect(Sending.all.map(({ form }) => (form?.get('files') as File).name)).toEqual(['free.txt']);
    await user.click(question.getByRole('button', { name: 'Rename & Upload' }));
    expect(Sending.all.at(-1)?.url).toBe('/api/zones/7/files?onConflict=rename');
  });

  it('says why a file was refused, in the words of the server', async () => {
    const { choose, tray } = await open();
    await choose('a.txt');
    await tray();
    await Sending.all[0]?.answer(403, { code: 'PLAN_LIMIT', message: 'Your storage is full.', planLimit: true });
    expect(await screen.findByText('Upload Failed: Your storage is full.')).toBeInTheDocument();
    expect(within(await tray()).getByRole('heading')).toHaveTextContent('1 file was not uploaded');
  });

  it('sends a file again after the connection was lost', async () => {
    const { choose, user } = await open();
    await choose('a.txt');
    await waitFor(() => expect(Sending.all).toHaveLength(1));
    await Sending.all[0]?.lose();
    await user.click(await screen.findByRole('button', { name: 'Retry upload of a.txt' }));
    expect(Sending.all).toHaveLength(2);
  });

  it('stops what is cancelled', async () => {
    const { choose, user, tray } = await open();
    await choose('a.txt', 'b.txt');
    await tray();
    await user.click(screen.getByRole('button', { name: 'Cancel upload of a.txt' }));
    expect(Sending.all[0]?.aborted).toBe(true);
    expect(Sending.all[1]?.aborted).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Cancel all' }));
    expect(Sending.all[1]?.aborted).toBe(true);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument());
  });

  it('gives way to the login screen when the session is over', async () => {
    const { choose, tray } = await open();
    await choose('a.txt');
    await tray();
    await Sending.all[0]?.answer(401, { code: 'NOT_SIGNED_IN', message: 'Please sign in.' });
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeInTheDocument();
  });
});
