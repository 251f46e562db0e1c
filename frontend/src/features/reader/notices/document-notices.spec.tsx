import { screen, within } from '@testing-library/react';
import { makeDocumentPages, mockElementWidth, mockDocumentApi } from '../../../../test/documents';
import { renderApp } from '../../../../test/render';

beforeEach(() => {
  localStorage.clear();
  mockElementWidth(400);
});
afterEach(() => jest.restoreAllMocks());

const mockServer = (more: object) =>
  mockDocumentApi({ 'GET /api/files/12/pages': [200, { ...makeDocumentPages(2), ...more }] });
const hidden = { sheets: 2, deletions: true, layers: true };

describe('Notice about hidden content of a document', () => {
  it('is shown to managers until they confirm it', async () => {
    mockServer({ hidden });
    const { user } = await renderApp('/zones/7/files/12');
    const note = await screen.findByRole('note');
    expect(note).toHaveTextContent('2 hidden sheets are not shown.');
    expect(note).toHaveTextContent('Text deleted by tracked changes is not shown.');
    expect(note).toHaveTextContent('Text in hidden layers is not shown.');
    await user.click(within(note).getByRole('button', { name: 'Got It' }));
    expect(screen.queryByRole('note')).not.toBeInTheDocument();
    expect(localStorage.getItem('zonary.hidden.12')).toBe('seen');
  });

  it('stays visible when reading starts at a later page', async () => {
    mockServer({ hidden });
    const { unmount } = await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('note')).not.toHaveClass('z-reader-note-fixed');
    unmount();
    await renderApp('/zones/7/files/12?page=2');
    expect(await screen.findByRole('note')).toHaveClass('z-reader-note-fixed');
  });

  it('is not shown again once confirmed', async () => {
    localStorage.setItem('zonary.hidden.12', 'seen');
    mockServer({ hidden });
    await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('img', { name: 'Page 1' })).toBeVisible();
    expect(screen.queryByRole('note')).not.toBeInTheDocument();
  });

  it('mentions only the content that is hidden', async () => {
    mockServer({ hidden: { sheets: 1, deletions: false, layers: false } });
    await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('note')).toHaveTextContent('1 hidden sheet is not shown.');
    expect(screen.getByRole('note')).not.toHaveTextContent('layers');
  });
});

describe('Files attached to a document', () => {
  it('are listed above the pages with download links', async () => {
    mockServer({ attachments: [{ name: 'a.txt', url: '/api/files/12/pages/attachments/1' }] });
    await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('heading', { name: '1 attached file' })).toBeVisible();
    const link = screen.getByRole('link', { name: 'Download a.txt' });
    expect(link).toHaveAttribute('href', '/api/files/12/pages/attachments/1');
    expect(link).toHaveAttribute('download', 'a.txt');
  });
});
