import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { noMailServer, makeInstallation, type SettingOverrides } from '../../../../test/installation';
import { renderApp } from '../../../../test/render';
import { getToastText } from '../../../../test/settings';
import { dashboardResponses, clearStorage } from '../../../../test/sign-in';

const path = '/api/admin/installation';
const get = `GET ${path}`;
const patch = `PATCH ${path}`;
const superAdmin = makeUser({ email: 'ada@example.org', isSuperAdmin: true });
const initialSettings: SettingOverrides = { address: [location.origin, 'default'] };
type OpenSteps = ('purpose' | 'mail')[];

function mockServer(
  overrides: SettingOverrides = initialSettings,
  setupLeft: OpenSteps = ['purpose', 'mail'],
  more: Record<string, MockResponse> = {},
) {
  return mockApi({
    ...dashboardResponses,
    'GET /api/user': [200, superAdmin],
    [get]: [200, makeInstallation(overrides, { setupLeft })],
    [`${get}/dns`]: [200, { domain: null, records: [] }],
    ...more,
  });
}
const installationResponse = (setupLeft: OpenSteps, overrides: SettingOverrides = {}): MockResponse => [
  200,
  makeInstallation(overrides, { setupLeft }),
];
const heading = (name: RegExp) => screen.findByRole('heading', { level: 1, name });
const getOwnAudienceOption = () => screen.getByRole('radio', { name: /^My own audience/ });
const getButton = (name: string) => screen.getByRole('button', { name });

beforeEach(clearStorage);
afterEach(() =>
  ['plans', 'application-name'].forEach((name) => document.querySelector(`meta[name="${name}"]`)?.remove()),
);

describe('Setup steps after the account', () => {
  it('resumes at the purpose step with defaults for the purpose and the page’s own address', async () => {
    const server = mockServer({ address: ['http://elsewhere:1', 'default'] });
    const { user, address } = await renderApp('/setup');
    const title = await heading(/^Step 2 of 3 What Is This Site For\?$/);
    expect(title).toHaveFocus();
    expect(getOwnAudienceOption()).toBeChecked();
    expect(screen.getByRole('textbox', { name: /^Public address/ })).toHaveValue(location.origin);
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Watercolour');
    server.setResponse(patch, installationResponse(['mail'], { name: ['Watercolour', 'setting'] }));
    await user.click(getButton('Save and Continue'));
    expect(await heading(/^Step 3 of 3 Email$/)).toHaveFocus();
    // The new name is shown immediately, not only after a reload.
    expect(within(screen.getByRole('banner')).getByText('Watercolour')).toBeVisible();
    expect(document.title).toBe('Email · Watercolour');
    expect(server.callsTo(patch)[0]!.body).toEqual({
      purpose: 'own',
      name: 'Watercolour',
      address: location.origin,
      finishedStep: 'purpose',
    });
    expect(address()).toBe('/setup');
    server.setResponse(patch, installationResponse([]));
    await user.click(getButton('Later'));
    await waitFor(() => expect(address()).toBe('/'));
    expect(server.callsTo(patch)[1]!.body).toEqual({ finishedStep: 'mail' });
  });

  it('does not save values that already apply', async () => {
    const server = mockServer();
    const { user } = await renderApp('/setup');
    await heading(/What Is This/);
    await user.click(screen.getByRole('radio', { name: /^A service for other creators/ }));
    const errors = { name: ['Please write at most 60 characters'] };
    server.setResponse(patch, errorResponse(400, 'VALIDATION_FAILED', 'Check.', { errors }));
    await user.click(getButton('Save and Continue'));
    const name = screen.getByRole('textbox', { name: /^Name/ });
    await waitFor(() => expect(name).toHaveAccessibleDescription('Please write at most 60 characters'));
    expect(server.callsTo(patch)[0]!.body).toEqual({ finishedStep: 'purpose' });
    server.setResponse(patch, errorResponse(409, 'SETTING_OVERRIDDEN', 'The variable says so.'));
    await user.click(getButton('Save and Continue'));
    await waitFor(() => expect(getToastText()).toContain('The variable says so.'));
    server.setResponse(patch, installationResponse(['mail']));
    await user.click(getButton('Save and Continue'));
    await heading(/^Step 3 of 3/);
    expect(server.callsTo(patch).map(({ body }) => body)).toEqual(Array(3).fill({ finishedStep: 'purpose' }));
  });

  it('shows settings from environment variables as read-only and ends after the last open step', async () => {
    const overrides: SettingOverrides = {
      name: ['By Variable', 'variable'],
      address: ['http://zones.example', 'variable'],
    };
    const server = mockServer({ ...overrides, purpose: ['service', 'setting'] }, ['purpose']);
    const { user, address } = await renderApp('/setup');
    await heading(/^Step 2 of 2/);
    expect(screen.getByRole('group', { name: 'Name' })).toHaveTextContent('Set by the environment variable APP_NAME.');
    expect(screen.getByRole('group', { name: 'Public address' })).toHaveTextContent('http://zones.example');
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    // A value that was chosen isn't replaced by a suggestion.
    expect(getOwnAudienceOption()).not.toBeChecked();
    server.setResponse(patch, installationResponse([]));
    await user.click(getButton('Save and Continue'));
    await waitFor(() => expect(address()).toBe('/'));
    expect(server.callsTo(patch)[0]!.body).toEqual({ finishedStep: 'purpose' });
  });

  it('contains the email settings of the admin area and asks before discarding unsaved changes', async () => {
    const server = mockServer(initialSettings, ['mail']);
    const { user, address } = await renderApp('/setup');
    await heading(/^Step 3 of 3 Email$/);
    const part = (name: string) => within(screen.getByRole('region', { name }));
    await user.type(part('Sender').getByRole('textbox', { name: /^Sender/ }), 'Zones <hello@zones.example>');
    server.setResponse(patch, installationResponse(['mail'], { mailFrom: ['Zones <hello@zones.example>', 'setting'] }));
    await user.click(getButton('Save Sender'));
    await waitFor(() => expect(getToastText()).toContain('Sender saved'));
    expect(server.callsTo(patch)[0]!.body).toEqual({ mailFrom: 'Zones <hello@zones.example>' });
    await waitFor(() => expect(server.callsTo(`${get}/dns`)).toHaveLength(2));
    expect(part('DNS Records').getByText(/The sender doesn’t have a domain yet/)).toBeVisible();

    await user.type(part('Email Server').getByRole('textbox', { name: /^Host/ }), 'mail.example');
    const result = { ok: true, stage: null, sentence: 'The mail server took the mail.', overrides: '250 OK' };
    server.setResponse(`POST ${path}/test-mail`, [200, result]);
    await user.click(getButton('Send Test Email'));
    await screen.findByText('The mail server took the mail.');
    expect(server.callsTo(`POST ${path}/test-mail`)[0]!.body).toMatchObject({ to: 'ada@example.org' });
    await user.click(getButton('Later'));
    const question = within(await screen.findByRole('dialog'));
    await user.click(question.getByRole('button', { name: 'Keep Editing' }));
    expect(server.callsTo(patch)).toHaveLength(1);
    const mail = { ...noMailServer, source: 'setting', host: 'mail.example', port: 587, security: 'starttls' } as const;
    server.setResponse(`PUT ${path}/mail`, [200, makeInstallation(initialSettings, { setupLeft: ['mail'], mail })]);
    await user.click(await screen.findByRole('button', { name: 'Save Email Server' }));
    await screen.findByRole('button', { name: 'Finish' });
    server.setResponse(patch, installationResponse([]));
    await user.click(getButton('Finish'));
    await waitFor(() => expect(address()).toBe('/'));
  });

  it.each([
    [
      'a super admin of a completed installation',
      superAdmin,
      [200, makeInstallation()],
      /^This site is already set up$/,
    ],
    ['any other user', makeUser(), errorResponse(403, 'FORBIDDEN', 'No.'), /^This setup address no longer works$/],
  ] as [string, typeof superAdmin, MockResponse, RegExp][])('shows no steps to %s', async (_, who, response, title) => {
    const server = mockServer(initialSettings, [], { 'GET /api/user': [200, who], [get]: response });
    const { address } = await renderApp('/setup');
    await heading(title);
    expect(address()).toBe('/setup');
    expect(server.callsTo(get)).toHaveLength(who.isSuperAdmin ? 1 : 0);
  });

  it('redirects a super admin who must set up a second factor first', async () => {
    const server = mockServer(initialSettings, ['purpose', 'mail'], {
      'GET /api/user': [200, { ...superAdmin, factorNeeded: true }],
    });
    const { address } = await renderApp('/setup');
    await waitFor(() => expect(address()).toBe('/'));
    expect(server.callsTo(get)).toEqual([]);
  });
});
