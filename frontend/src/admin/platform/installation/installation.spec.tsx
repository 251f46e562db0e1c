import { screen, waitFor } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { makeInstallation, type SettingOverrides } from '../../../../test/installation';
import { renderApp } from '../../../../test/render';
import { getToastText } from '../../../../test/settings';

const INSTALLATION_PATH = '/api/admin/installation';
const noDnsRecords: MockResponse = [200, { domain: null, records: [] }];
const makeState = (overrides: SettingOverrides = {}, needsStart = false) => makeInstallation(overrides, { needsStart });

async function openInstallation(response: MockResponse, user = makeUser({ role: 'admin', isSuperAdmin: true })) {
  const server = mockApi({
    'GET /api/user': [200, user],
    [`GET ${INSTALLATION_PATH}`]: response,
    [`GET ${INSTALLATION_PATH}/dns`]: noDnsRecords,
  });
  return { server, ...(await renderApp('/admin/installation')) };
}

beforeEach(() => localStorage.clear());

describe('Installation settings', () => {
  it('show values from environment variables as read-only with the variable’s name', async () => {
    await openInstallation([
      200,
      makeState({ name: ['By Variable', 'variable'], companyName: ['Sample Ltd', 'setting'] }),
    ]);
    const name = await screen.findByRole('group', { name: 'Name' });
    expect(name).toHaveTextContent('By Variable');
    expect(name).toHaveTextContent('Set by the environment variable APP_NAME.');
    expect(screen.queryByRole('textbox', { name: /^Name/ })).not.toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: /^Company/ })).toHaveValue('Sample Ltd');
  });

  it('send only changed values, reset empty ones to the default and show the saved state', async () => {
    const { server, user } = await openInstallation([200, makeState({ address: ['http://old.example', 'setting'] })]);
    const address = await screen.findByRole('textbox', { name: /^Public address/ });
    const save = screen.getByRole('button', { name: 'Save Changes' });
    expect(save).toBeDisabled();
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveAccessibleDescription(
      'Shown on the site and in emails. Default: Zonary',
    );
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), ' Sample ');
    await user.clear(address);
    server.setResponse(`PATCH ${INSTALLATION_PATH}`, [200, makeState({ name: ['Sample', 'setting'] })]);
    const caches: RequestCache[] = [];
    server.setResponse('GET /api/site', ({ cache }) => {
      caches.push(cache);
      return [200, { sells: true }];
    });
    await user.click(save);
    await waitFor(() => expect(getToastText()).toContain('Site settings saved'));
    expect(server.callsTo(`PATCH ${INSTALLATION_PATH}`)[0]!.body).toEqual({ name: 'Sample', address: null });
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('Sample');
    expect(save).toBeDisabled();
    // The browser's cached copy is outdated.
    await waitFor(() => expect(caches.at(-1)).toBe('reload'));
  });

  it('show the server’s objection at the field, or as a toast when it concerns none', async () => {
    const { server, user } = await openInstallation([200, makeState()]);
    const sender = await screen.findByRole('textbox', { name: /^Sender/ });
    await user.type(sender, 'nobody');
    const errors = { mailFrom: ['Please write one sender'] };
    server.setResponse(
      `PATCH ${INSTALLATION_PATH}`,
      errorResponse(400, 'VALIDATION_FAILED', 'Please check.', { errors }),
    );
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(sender).toHaveAccessibleDescription('Please write one sender'));
    server.setResponse(
      `PATCH ${INSTALLATION_PATH}`,
      errorResponse(409, 'SETTING_OVERRIDDEN', 'The variable MAIL_FROM says so.'),
    );
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(getToastText()).toContain('The variable MAIL_FROM says so.'));
    expect(sender).toHaveValue('nobody');
  });

  it('show that changes apply after a restart', async () => {
    await openInstallation([200, makeState({ address: ['https://zones.example', 'setting'] }, true)]);
    expect(await screen.findByRole('alert')).toHaveTextContent('Restart the server');
  });

  it('ask for the purpose and show service-only settings accordingly', async () => {
    const { server, user } = await openInstallation([200, makeState()]);
    const ownAudienceOption = await screen.findByRole('radio', { name: /^My own audience/ });
    expect(screen.getByRole('radio', { name: /^A service for other creators/ })).toBeChecked();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Plan for new accounts' }), 'Creator');
    server.setResponse(`PATCH ${INSTALLATION_PATH}`, [200, makeState({ defaultPlan: ['creator', 'setting'] })]);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() =>
      expect(server.callsTo(`PATCH ${INSTALLATION_PATH}`)[0]?.body).toEqual({ defaultPlan: 'creator' }),
    );
    expect(screen.getByRole('link', { name: 'Pricing' })).toBeInTheDocument();
    await user.click(ownAudienceOption);
    expect(screen.queryByRole('combobox', { name: 'Plan for new accounts' })).not.toBeInTheDocument();
    server.setResponse(`PATCH ${INSTALLATION_PATH}`, [
      200,
      makeState({ purpose: ['own', 'setting'], defaultPlan: ['creator', 'setting'] }),
    ]);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(server.callsTo(`PATCH ${INSTALLATION_PATH}`)[1]?.body).toEqual({ purpose: 'own' }));
    // The open page updates at once.
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Pricing' })).not.toBeInTheDocument());
    document.querySelector('meta[name="plans"]')?.remove();
  });

  it('show a default plan from an environment variable as read-only', async () => {
    await openInstallation([200, makeState({ defaultPlan: ['pro-creator', 'variable'] })]);
    const plan = await screen.findByRole('group', { name: 'Plan for new accounts' });
    expect(plan).toHaveTextContent('Pro Creator');
    expect(plan).toHaveTextContent('Set by the environment variable DEFAULT_PLAN.');
    expect(screen.queryByRole('combobox', { name: 'Plan for new accounts' })).not.toBeInTheDocument();
  });

  it('contain URLs or texts for terms, privacy and imprint', async () => {
    const { server, user } = await openInstallation([
      200,
      makeState({
        termsUrl: ['https://example.com/terms', 'variable'],
        termsEn: ['Never mind', 'setting'],
        imprintEn: ['Sample Ltd', 'setting'],
      }),
    ]);
    const terms = await screen.findByRole('group', { name: 'Link to your terms' });
    expect(terms).toHaveTextContent('Set by the environment variable TERMS_URL.');
    // A text has no effect while a variable is set.
    expect(screen.queryByText('Or write your terms here')).not.toBeInTheDocument();
    const isDetailsOpen = (summaryText: string) => screen.getByText(summaryText).closest('details')!.open;
    expect([isDetailsOpen('Or write your privacy policy here'), isDetailsOpen('Or write your imprint here')]).toEqual([
      false,
      true,
    ]);
    await user.click(screen.getByText('Or write your privacy policy here'));
    await user.type(screen.getByRole('textbox', { name: /^Privacy policy in Türkçe/ }), 'Bir{Enter}{Enter}iki');
    await user.clear(screen.getByRole('textbox', { name: /^Imprint in English/ }));
    await user.type(screen.getByRole('textbox', { name: /^Link to your imprint/ }), 'https://example.com/i');
    server.setResponse(`PATCH ${INSTALLATION_PATH}`, [200, makeState({ privacyTr: ['Bir\n\niki', 'setting'] })]);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(getToastText()).toContain('Site settings saved'));
    expect(server.callsTo(`PATCH ${INSTALLATION_PATH}`)[0]!.body).toEqual({
      privacyTr: 'Bir\n\niki',
      imprintEn: null,
      imprintUrl: 'https://example.com/i',
    });
  });

  it('reveal a hidden text when the server objects to it', async () => {
    const { server, user } = await openInstallation([200, makeState()]);
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Sample');
    const errors = { termsTr: ['Please enter this without control characters'] };
    server.setResponse(
      `PATCH ${INSTALLATION_PATH}`,
      errorResponse(400, 'VALIDATION_FAILED', 'Please check.', { errors }),
    );
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Please enter this without control characters')).toBeInTheDocument();
    expect(screen.getByText('Or write your terms here').closest('details')!.open).toBe(true);
  });

  it('are not available to regular administrators', async () => {
    const { server } = await openInstallation([403], makeUser({ role: 'admin' }));
    await screen.findByRole('tab', { name: 'System' });
    expect(screen.queryByRole('tab', { name: 'Site' })).not.toBeInTheDocument();
    expect(server.callsTo(`GET ${INSTALLATION_PATH}`)).toEqual([]);
  });
});
