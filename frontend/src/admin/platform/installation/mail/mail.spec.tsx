import { screen, waitFor, within } from '@testing-library/react';
import { pretendApi, refusal, someone } from '../../../../../test/api';
import { noMail } from '../../../../../test/installation';
import { renderProduct } from '../../../../../test/render';
import { toastText } from '../../../../../test/settings';
import type { MailSetting } from '../../../../shared/installation/mail/mail-values';

const path = '/api/admin/installation';
const kept: MailSetting = {
  ...{ source: 'setting', variable: 'SMTP_URL', host: 'mail.example', port: 587, security: 'starttls', user: 'zones' },
  password: 'set',
};
const state = (mail: MailSetting) => ({ settings: [], needsStart: false, mail, setupLeft: [] });

async function open(mail: MailSetting, dns: object = { domain: null, records: [] }) {
  const user = someone({ role: 'admin', isSuperAdmin: true, email: 'me@example.org' });
  const server = pretendApi({
    ...{ 'GET /api/user': [200, user], [`GET ${path}`]: [200, state(mail)], [`GET ${path}/dns`]: [200, dns] },
  });
  return { server, ...(await renderProduct('/admin/installation')) };
}
const field = (name: RegExp) => screen.getByRole('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });

beforeEach(() => localStorage.clear());

describe('the mail server in the page', () => {
  it('is tried with what stands in the form, and saved with it', async () => {
    const { server, user } = await open(noMail);
    await user.type(await screen.findByRole('textbox', { name: /^Host/ }), ' mail.example ');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Security' }), 'tls');
    expect(field(/^Port/)).toHaveValue('465');
    await user.type(field(/^User/), 'zones');
    await user.type(screen.getByLabelText(/^Password/), 'secret word');
    expect(screen.getByRole('textbox', { name: 'Test email to' })).toHaveValue('me@example.org');
    const sentence = 'The mail server did not take user and password.';
    const result = { ok: false, stage: 'sign-in', sentence, said: '535 No' };
    server.answer(`POST ${path}/test-mail`, [200, result]);
    await user.click(button('Send Test Email'));
    const status = (await screen.findByText(sentence)).closest('[role="status"]')!;
    expect(status).toHaveTextContent('The user or password was rejected');
    expect(status).toHaveTextContent('The server’s response: 535 No');
    const body = { host: 'mail.example', port: 465, security: 'tls', user: 'zones', password: 'secret word' };
    expect(server.callsOf(`POST ${path}/test-mail`)[0]!.body).toEqual({ to: 'me@example.org', server: body });
    const saved: MailSetting = { ...kept, port: 465, security: 'tls' };
    server.answer(`PUT ${path}/mail`, [200, state(saved)]);
    await user.click(button('Save Email Server'));
    await waitFor(() => expect(toastText()).toContain('Email server saved'));
    expect(server.callsOf(`PUT ${path}/mail`)[0]!.body).toEqual(body);
    expect(screen.getByLabelText(/^Password/)).toHaveValue('');
    expect(button('Save Email Server')).toBeDisabled();
  });

  it('tries what is in use while nothing was changed, and leaves a kept password where it is', async () => {
    const { server, user } = await open(kept);
    await screen.findByRole('textbox', { name: /^Host/ });
    const result = { ok: true, stage: null, sentence: 'The mail server took the mail.', said: '250 OK' };
    server.answer(`POST ${path}/test-mail`, [200, result]);
    await user.click(button('Send Test Email'));
    await screen.findByText('The mail server took the mail.');
    expect(server.callsOf(`POST ${path}/test-mail`)[0]!.body).toEqual({ to: 'me@example.org' });
    await user.clear(field(/^Port/));
    await user.type(field(/^Port/), '2525');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Security' }), 'tls');
    expect(field(/^Port/)).toHaveValue('2525');
    server.answer(`PUT ${path}/mail`, [200, state({ ...kept, port: 2525, security: 'tls' })]);
    await user.click(button('Save Email Server'));
    await waitFor(() => expect(toastText()).toContain('Email server saved'));
    const body = { host: 'mail.example', port: 2525, security: 'tls', user: 'zones' };
    expect(server.callsOf(`PUT ${path}/mail`)[0]!.body).toEqual(body);
    server.answer(`DELETE ${path}/mail`, [200, state(noMail)]);
    await user.click(button('Remove Email Server'));
    await waitFor(() => expect(field(/^Host/)).toHaveValue(''));
  });

  it('asks for the password at its field, where the server wants it', async () => {
    const { server, user } = await open({ ...kept, password: 'lost' });
    expect(await screen.findByText(/The password can’t be decrypted/)).toBeVisible();
    await user.type(field(/^Host/), '.org');
    const errors = (name: string) => ({ errors: { [name]: ['Please enter the password'] } });
    server.answer(`POST ${path}/test-mail`, refusal(400, 'VALIDATION_FAILED', 'Check.', errors('server.password')));
    await user.click(button('Send Test Email'));
    const password = screen.getByLabelText(/^Password/);
    await waitFor(() => expect(password).toHaveAccessibleDescription('Please enter the password'));
    server.answer(`POST ${path}/test-mail`, refusal(429, 'TOO_MANY_REQUESTS', 'Please wait.'));
    await user.click(button('Send Test Email'));
    await waitFor(() => expect(toastText()).toContain('Please wait.'));
  });

  it('is only shown where a variable says it, and can be tried', async () => {
    await open({ ...kept, source: 'variable' });
    const group = await screen.findByRole('group', { name: 'Email Server' });
    expect(group).toHaveTextContent('mail.example:587 as zones');
    expect(group).toHaveTextContent('Set by the environment variable SMTP_URL.');
    expect(screen.queryByRole('textbox', { name: /^Host/ })).not.toBeInTheDocument();
    expect(button('Send Test Email')).toBeEnabled();
  });

  it('stands beside what the DNS says, with the records to copy', async () => {
    const record = { name: 'zones.example', type: 'TXT', value: 'v=spf1 mx ~all' };
    const { server, user } = await open(kept, {
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
    server.answer(`GET ${path}/dns`, [200, { domain: null, records: [] }]);
    await user.click(button('Check Again'));
    expect(await screen.findByText(/The sender doesn’t have a domain yet/)).toBeVisible();
  });
});
