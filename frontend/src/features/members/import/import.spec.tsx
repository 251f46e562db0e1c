import { screen } from '@testing-library/react';
import { mockApi, makeUser } from '../../../../test/api';
import { renderApp } from '../../../../test/render';
import { makeZone } from '../../../../test/zones';

const report = {
  dryRun: true,
  mode: 'add',
  total: 2,
  succeeded: 2,
  counts: { ADDED: 1, NOT_TOLD: 1 },
  planLimit: null,
  mail: { subject: 'Olga has added you to Watercolour course', text: 'You need no password' },
  results: [
    { row: 2, record: 2, cut: [], email: 'a@example.org', success: true, status: 'ADDED', message: 'Added' },
    {
      row: 5,
      record: 3,
      cut: [],
      email: 'b@example.org',
      success: true,
      status: 'NOT_TOLD',
      message: 'Added; not told',
    },
  ],
};

async function openImportDialog(viewer = makeUser()) {
  const server = mockApi({
    'GET /api/user': [200, viewer],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/zones/7/members': [200, [], { 'X-Total-Count': '0' }],
    'GET /api/zones/7/invitations': [200, []],
    'GET /api/zones/7/join-requests': [200, []],
    'POST /api/zones/7/members/import': [200, report],
  });
  const { user } = await renderApp('/zones/7/members');
  const [button] = await screen.findAllByRole('button', { name: 'Import CSV' });
  await user.click(button!);
  await user.upload(await screen.findByLabelText('CSV file'), new File(['email'], 'people.csv', { type: 'text/csv' }));
  return { user, server };
}

describe('Importing members', () => {
  it('asks whether to notify the added people and previews the email', async () => {
    const { user } = await openImportDialog();
    expect(screen.queryByRole('checkbox', { name: /Notify them by email/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Add them as members right away' }));
    expect(screen.getByRole('checkbox', { name: /Notify them by email/ })).not.toBeChecked();
    await user.click(screen.getByRole('checkbox', { name: /I confirm/ }));
    await user.click(screen.getByRole('checkbox', { name: /Notify them by email/ }));
    await user.click(screen.getByRole('button', { name: 'Check File' }));
    expect(await screen.findByRole('region', { name: 'The email they’ll get' })).toHaveTextContent(
      'Olga has added you to Watercolour courseYou need no password',
    );
    expect(screen.getByText('Added without an email: 1')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('checkbox', { name: /Notify them by email/ })).toBeChecked();
  });

  it('shows after creating invitations that they are held while no email server is configured', async () => {
    const { user, server } = await openImportDialog(makeUser({ emailDelivery: 'none' }));
    const invited = { ...report, mode: 'invite', mail: null, counts: { INVITED: 2 } };
    server.setResponse('POST /api/zones/7/members/import', [200, invited]);
    await user.click(screen.getByRole('button', { name: 'Check File' }));
    const invite = await screen.findByRole('button', { name: 'Invite 2 People' });
    const unsentNotice = 'No email server is set up, so the invitations are on hold and not sent.';
    expect(screen.queryByText(unsentNotice)).not.toBeInTheDocument();
    server.setResponse('POST /api/zones/7/members/import', [200, { ...invited, dryRun: false }]);
    await user.click(invite);
    expect(await screen.findByText(unsentNotice)).toBeInTheDocument();
  });

  it('shows no email preview when nobody is notified', async () => {
    const { user, server } = await openImportDialog();
    server.setResponse('POST /api/zones/7/members/import', [200, { ...report, mail: null }]);
    await user.click(screen.getByRole('button', { name: 'Check File' }));
    expect(await screen.findByText('Added without an email: 1')).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: /The email/ })).not.toBeInTheDocument();
  });
});
