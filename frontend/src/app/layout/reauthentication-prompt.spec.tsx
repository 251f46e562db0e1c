import { useMutation } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderComponent } from '../../../test/render';
import { api } from '../../shared/api/client';
import { ReauthenticationPrompt } from './reauthentication-prompt';

const confirmationRequired = errorResponse(403, 'CONFIRMATION_REQUIRED', 'Please confirm your identity first.');
const wrongPassword = errorResponse(400, 'WRONG_PASSWORD', 'The current password is incorrect.');

function CreateTokenButton() {
  const createToken = useMutation({
    mutationFn: () => api.POST('/api/user/tokens', { body: { name: 'Backup', scope: 'read', expiresInDays: 7 } }),
  });
  return (
    <>
      <button onClick={() => createToken.mutate()}>make</button>
      <output>
        {createToken.isPending ? 'waiting' : createToken.isSuccess ? 'made' : (createToken.error?.message ?? 'nothing')}
      </output>
    </>
  );
}

/** A server that demands reauthentication before it creates a token. */
function mockServer(methods: string[], extraResponses: Record<string, MockResponse> = {}) {
  let confirmed = false;
  const responses: Record<string, MockResponse> = {
    'GET /api/user/confirm': [200, { ways: methods }],
    'POST /api/user/tokens': () => (confirmed ? [201, { id: 1, token: 't' }] : confirmationRequired),
    'POST /api/user/confirm': async (request) => {
      const { password, code } = (await request.json()) as { password?: string; code?: string };
      if (password !== 'right' && code !== '123456') return wrongPassword;
      confirmed = true;
      return [200, { confirmedUntil: '2026-11-22T12:00:00.000Z' }];
    },
    ...extraResponses,
  };
  return mockApi(responses);
}

const openDialog = async () => {
  const rendered = await renderComponent(
    <>
      <CreateTokenButton />
      <ReauthenticationPrompt user={makeUser()} />
    </>,
  );
  await rendered.user.click(screen.getByRole('button', { name: 'make' }));
  const dialog = await screen.findByRole('dialog', { name: 'Confirm That It’s You' });
  return { ...rendered, dialog };
};

describe('Reauthentication prompt', () => {
  it('asks once for a change that requires it and then repeats the request', async () => {
    const { callsTo } = mockServer(['password']);
    const { user, dialog } = await openDialog();
    expect(screen.getByText('waiting')).toBeInTheDocument();
    await user.type(await within(dialog).findByLabelText('Your password'), 'right{Enter}');
    expect(await screen.findByText('made')).toBeInTheDocument();
    const sent = callsTo('POST /api/user/tokens').map(({ body }) => body);
    expect(sent).toEqual(Array(2).fill({ name: 'Backup', scope: 'read', expiresInDays: 7 }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('stays open with an error at the field after a wrong password', async () => {
    const { callsTo } = mockServer(['password']);
    const { user, dialog } = await openDialog();
    await user.type(await within(dialog).findByLabelText('Your password'), 'wrong{Enter}');
    expect(await within(dialog).findByText('The current password is incorrect.')).toBeInTheDocument();
    expect(callsTo('POST /api/user/tokens')).toHaveLength(1);
    expect(screen.getByText('waiting')).toBeInTheDocument();
  });

  it('leaves the change rejected when cancelled', async () => {
    const { callsTo } = mockServer(['password']);
    const { user, dialog } = await openDialog();
    await within(dialog).findByLabelText('Your password');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Please confirm your identity first.')).toBeInTheDocument();
    expect(callsTo('POST /api/user/tokens')).toHaveLength(1);
  });

  it('accepts an emailed code from users without a password', async () => {
    const { callsTo } = mockServer(['mail'], { 'POST /api/user/confirm/mail': [200, { message: 'Sent.' }] });
    const { user, dialog } = await openDialog();
    await user.click(await within(dialog).findByRole('button', { name: 'Email Me a Code' }));
    await user.type(await within(dialog).findByLabelText('6-digit code'), '123 456{Enter}');
    expect(await screen.findByText('made')).toBeInTheDocument();
    expect(callsTo('POST /api/user/confirm').map(({ body }) => body)).toEqual([{ code: '123456' }]);
  });

  it('is skipped when there is no one to prompt', async () => {
    mockServer(['password']);
    const { user } = await renderComponent(<CreateTokenButton />);
    await user.click(screen.getByRole('button', { name: 'make' }));
    expect(await screen.findByText('Please confirm your identity first.')).toBeInTheDocument();
  });
});
