import { screen, waitFor, within } from '@testing-library/react';
import { errorResponse, mockApi, notSignedInResponse, type MockResponse } from '../../../test/api';
import { makeDocumentPages, mockElementWidth } from '../../../test/documents';
import { renderApp } from '../../../test/render';

beforeEach(() => mockElementWidth(400));
afterEach(() => jest.restoreAllMocks());

const base = '/api/shared/tok';
const enter = `POST ${base}/enter`;
const can = { view: true, download: true, text: false, remove: false };
const file = (id: number, name: string, changes: object = {}) => ({
  ...{ id, name, mimeType: 'application/pdf', size: 2048, can, isSent: false, folderId: null },
  ...changes,
});
const link = (changes: object = {}) => ({
  owner: { firstName: 'Grace', lastName: 'Kaya' },
  ...{ expiresAt: null, requiresPassword: false, needsEmail: false, item: null, memberPlace: null },
  ...changes,
});
const entered = (item: object) =>
  link({ item: { file: null, folder: null, allowDownload: true, fileRequest: null, ...item } });
const serve = (responses: Record<string, MockResponse>) =>
  mockApi({ 'GET /api/user': notSignedInResponse, ...responses });
const notFound = errorResponse(404, 'SHARED_NOT_FOUND', 'This link doesn’t lead anywhere.');

describe('The page of a link to a file or folder', () => {
  it('asks for the password and the address, and then opens the file', async () => {
    const opened = entered({ file: file(12, 'Course.pdf') });
    const server = serve({
      [`GET ${base}`]: [200, link({ requiresPassword: true, needsEmail: true })],
      [enter]: errorResponse(403, 'LINK_PASSWORD_WRONG', 'The password for this link is incorrect.'),
      [`GET ${base}/files/12`]: [200, file(12, 'Course.pdf')],
      [`GET ${base}/files/12/pages`]: [200, makeDocumentPages(3)],
    });
    const { user, address } = await renderApp('/s/tok');
    expect(await screen.findByRole('heading', { name: 'Grace Kaya shared something with you' })).toBeVisible();
    expect(document.title).toMatch(/^Shared with You/);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByLabelText('Link password')).toHaveFocus();
    expect(screen.getByLabelText('Email address')).toHaveAccessibleDescription('Email is required');
    expect(server.callsTo(enter)).toEqual([]);
    await user.type(screen.getByLabelText('Link password'), 'rose');
    await user.type(screen.getByLabelText('Email address'), ' ada@example.org ');
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(await screen.findByText('The password for this link is incorrect.')).toBeVisible();
    server.setResponse(enter, [200, opened]);
    server.setResponse(`GET ${base}`, [200, opened]);
    await user.clear(screen.getByLabelText('Link password'));
    await user.type(screen.getByLabelText('Link password'), 'tulip');
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(await screen.findByRole('img', { name: 'Page 1' })).toHaveAttribute(
      'src',
      `${base}/files/12/pages/1?width=600`,
    );
    expect(address()).toBe('/s/tok/files/12');
    expect(server.callsTo(enter)[1]?.body).toEqual({ password: 'tulip', email: 'ada@example.org' });
    expect(screen.getByRole('link', { name: 'Download' })).toHaveAttribute('href', `${base}/files/12/download`);
    expect(screen.queryByRole('link', { name: 'Back to the Files' })).not.toBeInTheDocument();
    expect(server.calls.filter(({ route }) => route.includes('/api/files/'))).toEqual([]);
  });

  it('enters only when the visitor says so', async () => {
    const server = serve({
      [`GET ${base}`]: [200, link()],
      [enter]: [200, entered({ folder: { id: 3, name: 'Term' } })],
    });
    const { user } = await renderApp('/s/tok');
    const open = await screen.findByRole('button', { name: 'Open' });
    expect(server.callsTo(enter)).toEqual([]);
    await user.click(open);
    expect(await screen.findByRole('heading', { level: 1, name: 'Term' })).toBeVisible();
    expect(server.callsTo(enter)[0]?.body).toEqual({});
  });

  it.each([
    ['SHARED_NOT_FOUND', 404, 'This link doesn’t lead anywhere'],
    ['SHARED_USED_UP', 410, 'This link has been used up'],
  ])('says why a link can’t be used: %s', async (code, status, title) => {
    serve({ [`GET ${base}`]: errorResponse(status, code, 'Rejected.') });
    await renderApp('/s/tok');
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Open' })).not.toBeInTheDocument();
  });

  it('lists a folder and leads to its subfolders and files and back', async () => {
    serve({
      [`GET ${base}`]: [200, entered({ folder: { id: 3, name: 'Term' } })],
      [`GET ${base}/folders/4`]: [
        200,
        {
          id: 4,
          name: 'Week 1',
          path: [
            { id: 3, name: 'Term' },
            { id: 4, name: 'Week 1' },
          ],
        },
      ],
      [`GET ${base}/folders`]: (request) => [
        200,
        new URL(request.url).searchParams.get('folderId') === '3' ? [{ id: 4, name: 'Week 1' }] : [],
      ],
      [`GET ${base}/files`]: [
        200,
        [file(11, 'A.pdf'), file(12, 'Course.pdf'), file(13, 'Film.mp4', { can: { ...can, download: false } })],
      ],
      [`GET ${base}/files/12`]: [200, file(12, 'Course.pdf', { folderId: 4 })],
      [`GET ${base}/files/12/pages`]: [200, makeDocumentPages(1)],
    });
    const { user, address } = await renderApp('/s/tok');
    const list = within(await screen.findByRole('list', { name: 'Files and folders' }));
    expect(screen.getByRole('link', { name: 'Download All' })).toHaveAttribute('href', `${base}/download?folderId=3`);
    expect(list.getByRole('link', { name: 'Download A.pdf' })).toHaveAttribute('href', `${base}/files/11/download`);
    expect(list.queryByRole('link', { name: 'Download Film.mp4' })).not.toBeInTheDocument();
    await user.click(list.getByRole('link', { name: 'Week 1' }));
    expect(await screen.findByRole('navigation', { name: 'Folders above' })).toHaveTextContent('Term');
    expect(address()).toBe('/s/tok/folders/4');
    await user.click(await screen.findByRole('link', { name: 'Course.pdf' }));
    expect(await screen.findByRole('link', { name: 'Next File' })).toHaveAttribute('href', '/s/tok/files/13');
    expect(screen.getByRole('link', { name: 'Previous File' })).toHaveAttribute('href', '/s/tok/files/11');
    await user.click(screen.getByRole('link', { name: 'Back to the Files' }));
    expect(address()).toBe('/s/tok/folders/4');
  });

  it('returns from a file to the link’s page when the link is closed', async () => {
    serve({ [`GET ${base}`]: notFound, [`GET ${base}/files/12`]: notFound });
    const { address } = await renderApp('/s/tok/files/12');
    expect(await screen.findByRole('heading', { name: 'This link doesn’t lead anywhere' })).toBeVisible();
    expect(address()).toBe('/s/tok');
  });

  it('leads members to the file in their zone', async () => {
    serve({ [`GET ${base}`]: [200, link({ memberPlace: { zoneId: 7, fileId: 12, folderId: null } })] });
    const { address } = await renderApp('/s/tok');
    await waitFor(() => expect(address()).toBe('/zones/7/files/12'));
  });

  describe('with a file request', () => {
    const request = (changes: object = {}) => ({
      ...{ instructions: 'Your essay', closesAt: null, isOpen: true, isPrivate: true, maxFilesPerPerson: 2 },
      ...{ maxFileBytes: 1024, sentFiles: 0, canSend: true },
      ...changes,
    });
    const folder = { id: 3, name: 'Homework' };
    const withRequest = (changes?: object): [number, object] => [
      200,
      entered({ folder, fileRequest: request(changes) }),
    ];
    const remove = `DELETE ${base}/files/11`;
    const own = (changes: object = {}) =>
      file(11, 'Essay.txt', { isSent: true, can: { ...can, remove: true }, ...changes });
    const serveRequest = (responses: Record<string, MockResponse> = {}) =>
      serve({
        [`GET ${base}`]: withRequest(),
        [`GET ${base}/folders`]: [200, []],
        [`GET ${base}/files`]: [200, []],
        ...responses,
      });

    it('shows what is requested and who sees it', async () => {
      serveRequest();
      await renderApp('/s/tok');
      const panel = await screen.findByRole('region', { name: 'File Request' });
      expect(panel).toHaveTextContent(/Your essay.*You sent 0 of 2 files.*up to 1 KB each.*Only you and the people/s);
      expect(within(panel).getByRole('button', { name: 'Choose Files' })).toBeVisible();
      expect(await screen.findByText('There are no files here yet.')).toBeVisible();
    });

    it('can’t send files when the request is closed, and still marks their own', async () => {
      serveRequest({
        [`GET ${base}`]: withRequest({ isOpen: false, canSend: false, closesAt: '2026-01-01T12:00:00Z' }),
        [`GET ${base}/files`]: [200, [own({ can })]],
      });
      await renderApp('/s/tok');
      expect(await screen.findByRole('region', { name: 'File Request (Closed)' })).toHaveTextContent('Was open until');
      expect(screen.queryByRole('button', { name: 'Choose Files' })).not.toBeInTheDocument();
      expect(await screen.findByText('Sent by you')).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Remove Essay.txt' })).not.toBeInTheDocument();
    });

    it('removes a file after a question, and says why it can’t', async () => {
      const server = serveRequest({
        [`GET ${base}/files`]: [200, [own()]],
        [remove]: errorResponse(403, 'SHARED_NOT_REMOVABLE', 'You can only remove files that you sent.'),
      });
      const { user } = await renderApp('/s/tok');
      await user.click(await screen.findByRole('button', { name: 'Remove Essay.txt' }));
      await user.click(screen.getByRole('button', { name: 'Keep' }));
      expect(server.callsTo(remove)).toEqual([]);
      await user.click(screen.getByRole('button', { name: 'Remove Essay.txt' }));
      await user.click(screen.getByRole('button', { name: 'Remove' }));
      expect(await screen.findByText('You can only remove files that you sent.')).toBeVisible();
      server.setResponse(remove, [204, undefined]);
      server.setResponse(`GET ${base}/files`, [200, []]);
      await user.click(screen.getByRole('button', { name: 'Remove Essay.txt' }));
      await user.click(screen.getByRole('button', { name: 'Remove' }));
      expect(await screen.findByText('File removed')).toBeVisible();
      await waitFor(() => expect(screen.queryByText('Essay.txt')).not.toBeInTheDocument());
    });
  });
});
