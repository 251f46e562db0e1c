import { screen, waitFor, within } from '@testing-library/react';
import { errorResponse, mockApi, notSignedInResponse, type MockResponse } from '../../../test/api';
import { makeDocumentPages, mockElementWidth } from '../../../test/documents';
import { renderApp } from '../../../test/render';

beforeEach(() => mockElementWidth(400));
afterEach(() => jest.restoreAllMocks());

const base = '/api/shared/tok';
const enter = `POST ${base}/enter`;
const can = { view: true, download: true, text: false };
const file = (id: number, name: string, changes: object = {}) => ({
  ...{ id, name, mimeType: 'application/pdf', size: 2048, can, folderId: null },
  ...changes,
});
const link = (changes: object = {}) => ({
  owner: { firstName: 'Grace', lastName: 'Kaya' },
  ...{ expiresAt: null, requiresPassword: false, needsEmail: false, item: null, memberPlace: null },
  ...changes,
});
const entered = (item: object) => link({ item: { file: null, folder: null, allowDownload: true, ...item } });
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
});
