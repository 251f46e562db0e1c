import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser } from '../../../../../test/api';
import { noMailServer } from '../../../../../test/installation';
import { renderApp } from '../../../../../test/render';
import { getToastText } from '../../../../../test/settings';
import type { MailServerSetting } from '../../../../shared/installation/mail-server/mail-server-values';

const INSTALLATION_PATH = '/api/admin/installation';
const savedMailServer: MailServerSetting = {
  source: 'setting',
  variable: 'SMTP_URL',
  host: 'mail.example',
  port: 587,
  security: 'starttls',
  user: 'zones',
  password: 'set',
};
const makeState = (mail: MailServerSetting) => ({ settings: [], needsStart: false, mail, setupLeft: [] });

async function openInstallation(mail: MailServerSetting, dns: object = { domain: null, records: [] }) {
  const user = makeUser({ role: 'admin', isSuperAdmin: true, email: 'me@example.org' });
  const server = mockApi({
    'GET /api/user': [200, user],
    [`GET ${INSTALLATION_PATH}`]: [200, makeState(mail)],
    [`GET ${INSTALLATION_PATH}/dns`]: [200, dns],
  });
  return { server, ...(await renderApp('/admin/installation')) };
}
const getField = (name: RegExp) => screen.getByRole('textbox', { name });
const getButton = (name: string) => screen.getByRole('button', { name });

beforeEach(() => localStorage.clear());

describe('Email server settings', () => {
  it('tests the values in the form and saves them', async () => {
    const { server, user } = await openInstallation(noMailServer);
    await user.type(await screen.findByRole('textbox', { name: /^Host/ }), ' mail.example ');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Security' }), 'tls');
    expect(getField(/^Port/)).toHaveValue('465');
    await user.type(getField(/^Username/), 'zones');
    await user.type(screen.getByLabelText(/^Password/), 'secret word');
    expect(screen.getByRole('textbox', { name: 'Test email to' })).toHaveValue('me@example.org');
    const message = 'The mail server did not take user and password.';
    const result = { ok: false, stage: 'sign-in', sentence: message, said: '535 No' };
    server.setResponse(`POST ${INSTALLATION_PATH}/test-mail`, [200, result]);
    await user.click(getButton('Send Test Email'));
    const status = (await screen.findByText(message)).closest('[role="status"]')!;
    expect(status).toHaveTextContent('The username or password was rejected');
    expect(status).toHaveTextContent('The server’s response: 535 No');
    const body = { host: 'mail.example', port: 465, security: 'tls', user: 'zones', password: 'secret word' };
    expect(server.callsTo(`POST ${INSTALLATION_PATH}/test-mail`)[0]!.body).toEqual({
      to: 'me@example.org',
      server: body,
    });
    const updatedMailServer: MailServerSetting = { ...savedMailServer, port: 465, security: 'tls' };
    server.setResponse(`PUT ${INSTALLATION_PATH}/mail`, [200, makeState(updatedMailServer)]);
    await user.click(getButton('Save Email Server'));
    await waitFor(() => expect(getToastText()).toContain('Email server saved'));
    expect(server.callsTo(`PUT ${INSTALLATION_PATH}/mail`)[0]!.body).toEqual(body);
    expect(screen.getByLabelText(/^Password/)).toHaveValue('');
    expect(getButton('Save Email Server')).toBeDisabled();
  });

  it('tests the server in use when nothing changed and keeps the stored password', async () => {
    const { server, user } = await openInstallation(savedMailServer);
    await screen.findByRole('textbox', { name: /^Host/ });
    const result = { ok: true, stage: null, sentence: 'The mail server took the mail.', said: '250 OK' };
    server.setResponse(`POST ${INSTALLATION_PATH}/test-mail`, [200, result]);
    await user.click(getButton('Send Test Email'));
    await screen.findByText('The mail server took the mail.');
    expect(server.callsTo(`POST ${INSTALLATION_PATH}/test-mail`)[0]!.body).toEqual({ to: 'me@example.org' });
    await user.clear(getField(/^Port/));
    await user.type(getField(/^Port/), '2525');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Security' }), 'tls');
    expect(getField(/^Port/)).toHaveValue('2525');
    server.setResponse(`PUT ${INSTALLATION_PATH}/mail`, [
      200,
      makeState({ ...savedMailServer, port: 2525, security: 'tls' }),
    ]);
    await user.click(getButton('Save Email Server'));
    await waitFor(() => expect(getToastText()).toContain('Email server saved'));
    const body = { host: 'mail.example', port: 2525, security: 'tls', user: 'zones' };
    expect(server.callsTo(`PUT ${INSTALLATION_PATH}/mail`)[0]!.body).toEqual(body);
    server.setResponse(`DELETE ${INSTALLATION_PATH}/mail`, [200, makeState(noMailServer)]);
    await user.click(getButton('Remove Email Server'));
    await waitFor(() => expect(getField(/^Host/)).toHaveValue(''));
  });

  it('asks for the password at its field when the server requires it', async () => {
    const { server, user } = await openInstallation({ ...savedMailServer, password: 'lost' });
    expect(await screen.findByText(/The password can’t be decrypted/)).toBeVisible();
    await user.type(getField(/^Host/), '.org');
    const errors = (name: string) => ({ errors: { [name]: ['Please enter the password'] } });
    server.setResponse(
      `POST ${INSTALLATION_PATH}/test-mail`,
      errorResponse(400, 'VALIDATION_FAILED', 'Check.', errors('server.password')),
    );
    await user.click(getButton('Send Test Email'));
    const password = screen.getByLabelText(/^Password/);
    await waitFor(() => expect(password).toHaveAccessibleDescription('Please enter the password'));
    server.setResponse(`POST ${INSTALLATION_PATH}/test-mail`, errorResponse(429, 'TOO_MANY_REQUESTS', 'Please wait.'));
    await user.click(getButton('Send Test Email'));
    await waitFor(() => expect(getToastText()).toContain('Please wait.'));
  });

  it('is read-only when set by an environment variable, and can be tested', async () => {
    await openInstallation({ ...savedMailServer, source: 'variable' });
    const group = await screen.findByRole('group', { name: 'Email Server' });
    expect(group).toHaveTextContent('mail.example:587 as zones');
    expect(group).toHaveTextContent('Set by the environment variable SMTP_URL.');
    expect(screen.queryByRole('textbox', { name: /^Host/ })).not.toBeInTheDocument();
    expect(getButton('Send Test Email')).toBeEnabled();
  });

  it('shows the DNS check with records to copy', async () => {
    const record = { name: 'zones.example', type: 'TXT', value: 'v=spf1 mx ~all' };
    const { server, user } = await openInstallation(savedMailServer, {
      domain: 'zones.example',
      records: [
        { kind: 'spf', state: 'missing', record },
        { kind: 'dkim', state: 'unknown', record: null },
        { kind: 'dmarc', state: 'done', record: { ...record, name: '_dmarc.zones.example' } },
      ],
    });
    const spf = within(await screen.findByRole('group', { name: 'SPF' }));
    expect(spf.getByText('Missing')).toBeVisible();
    expect(spf.getByRole('textbox', { name: 'SPF: name' })).toHaveValue('zones.example');
    expect(spf.getByRole('textbox', { name: 'SPF: value (TXT)' })).toHaveValue('v=spf1 mx ~all');
    expect(screen.getByRole('group', { name: 'DKIM' })).toHaveTextContent('Emails aren’t signed here');
    const dmarc = within(screen.getByRole('group', { name: 'DMARC' }));
    expect(dmarc.getByText('Done')).toBeVisible();
    expect(dmarc.queryByRole('textbox')).not.toBeInTheDocument();
    server.setResponse(`GET ${INSTALLATION_PATH}/dns`, [200, { domain: null, records: [] }]);
    await user.click(getButton('Check Again'));
    expect(await screen.findByText(/The sender doesn’t have a domain yet/)).toBeVisible();
  });
});
