import { fireEvent, screen, waitFor } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../../test/api';
import { makeDocumentPages, mockElementWidth, mockDocumentApi } from '../../../../test/documents';
import { renderApp } from '../../../../test/render';

const locked = { state: 'failed', failure: 'locked', count: null, pages: [], outline: [] };
const wrongPassword = 'Wrong password for this document.';

beforeEach(() => mockElementWidth(400));
afterEach(() => jest.restoreAllMocks());

describe('Password-protected document', () => {
  it('asks for the password, opens once it is correct and does not store it', async () => {
    const server = mockDocumentApi({
      'GET /api/files/12/pages': [200, locked],
      'POST /api/files/12/pages/unlock': errorResponse(422, 'DOCUMENT_PASSWORD_WRONG', wrongPassword, {
        errors: { password: [wrongPassword] },
      }),
    });
    const { user } = await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('heading', { name: 'This document is password-protected' })).toBeVisible();
    const field = screen.getByLabelText('Password');
    expect(field).toHaveFocus();
    const passwordForm = screen.getByRole('form', { name: 'This document is password-protected' });
    expect(passwordForm).toContainElement(field);
    expect(passwordForm).toHaveAccessibleDescription(/^Ask the person who shared it for the password\./);
    expect(field).toHaveAttribute('type', 'password');
    expect(field).toHaveAttribute('autocomplete', 'off');

    await user.keyboard('{Enter}');
    expect(field).toHaveAccessibleDescription('Please enter the password.');
    expect(server.callsTo('POST /api/files/12/pages/unlock')).toHaveLength(0);
    await user.type(field, 'guess{Enter}');
    await waitFor(() => expect(field).toHaveAccessibleDescription(wrongPassword));
    expect(field).toBeInvalid();
    expect(field).toHaveFocus();
    expect(field).toHaveValue('guess');

    server.setResponse('POST /api/files/12/pages/unlock', [204]);
    server.setResponse('GET /api/files/12/pages', [200, makeDocumentPages(2)]);
    await user.clear(field);
    await user.type(field, 'open sesame');
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(await screen.findByLabelText('Page, out of 2')).toHaveValue('1');
    expect(server.callsTo('POST /api/files/12/pages/unlock').at(-1)!.body).toEqual({ password: 'open sesame' });
    expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toContain('sesame');
  });

  it('shows other errors at the field in the user’s language', async () => {
    mockDocumentApi({
      'GET /api/user': [200, makeUser({ language: 'tr' })],
      'GET /api/files/12/pages': [200, locked],
      'POST /api/files/12/pages/unlock': errorResponse(503, 'DRAWING_BUSY', 'Şu anda çok fazla sayfa çiziliyor.'),
    });
    const { user } = await renderApp('/zones/7/files/12', { language: 'tr' });
    const field = await screen.findByLabelText('Parola');
    await user.type(field, 'tahmin{Enter}');
    await waitFor(() => expect(field).toHaveAccessibleDescription('Şu anda çok fazla sayfa çiziliyor.'));
  });

  it('asks for the password again once the unlock has expired', async () => {
    const server = mockDocumentApi({
      'GET /api/files/12/pages/1': errorResponse(423, 'DOCUMENT_LOCKED', 'This document is password-protected.'),
    });
    await renderApp('/zones/7/files/12');
    const picture = await screen.findByRole('img', { name: 'Page 1' });
    await screen.findByLabelText('Page, out of 30');
    server.setResponse('GET /api/files/12/pages', [200, locked]);
    fireEvent.error(picture);
    expect(await screen.findByLabelText('Password')).toHaveFocus();
  });
});
