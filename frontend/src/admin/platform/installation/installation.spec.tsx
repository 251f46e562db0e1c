import { screen, waitFor } from '@testing-library/react';
import { pretendApi, refusal, someone, type Answer } from '../../../../test/api';
import { someInstallation, type Said } from '../../../../test/installation';
import { renderProduct } from '../../../../test/render';
import { toastText } from '../../../../test/settings';

const path = '/api/admin/installation';
const noDns: Answer = [200, { domain: null, records: [] }];
const state = (said: Said = {}, needsStart = false) => someInstallation(said, { needsStart });

async function open(answer: Answer, user = someone({ role: 'admin', isSuperAdmin: true })) {
  const server = pretendApi({ 'GET /api/user': [200, user], [`GET ${path}`]: answer, [`GET ${path}/dns`]: noDns });
  return { server, ...(await renderProduct('/admin/installation')) };
}

beforeEach(() => localStorage.clear());

describe('the installation', () => {
  it('shows what a variable says with its name, and lets nobody write it', async () => {
    await open([200, state({ name: ['By Variable', 'variable'], companyName: ['Sample Ltd', 'setting'] })]);
    const name = await screen.findByRole('group', { name: 'Name' });
    expect(name).toHaveTextContent('By Variable');
    expect(name).toHaveTextContent('Set by the environment variable APP_NAME.');
    expect(screen.queryByRole('textbox', { name: /^Name/ })).not.toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: /^Company/ })).toHaveValue('Sample Ltd');
  });

  it('sends only what was changed, empties to the default, and shows what the server keeps', async () => {
    const { server, user } = await open([200, state({ address: ['http://old.example', 'setting'] })]);
    const address = await screen.findByRole('textbox', { name: /^Public address/ });
    const save = screen.getByRole('button', { name: 'Save Changes' });
    expect(save).toBeDisabled();
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveAccessibleDescription(
      'Shown on the site and in emails. If empty: Zonary',
    );
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), ' Sample ');
    await user.clear(address);
    server.answer(`PATCH ${path}`, [200, state({ name: ['Sample', 'setting'] })]);
    const caches: RequestCache[] = [];
    server.answer('GET /api/site', ({ cache }) => {
      caches.push(cache);
      return [200, { sells: true }];
    });
    await user.click(save);
    await waitFor(() => expect(toastText()).toContain('Site settings saved'));
    expect(server.callsOf(`PATCH ${path}`)[0]!.body).toEqual({ name: 'Sample', address: null });
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('Sample');
    expect(save).toBeDisabled();
    // What the browser has kept of it is not true any more.
    await waitFor(() => expect(caches.at(-1)).toBe('reload'));
  });

  it("shows the server's objection at the field, and elsewhere when it is about none", async () => {
    const { server, user } = await open([200, state()]);
    const sender = await screen.findByRole('textbox', { name: /^Sender/ });
    await user.type(sender, 'nobody');
    const errors = { mailFrom: ['Please write one sender'] };
    server.answer(`PATCH ${path}`, refusal(400, 'VALIDATION_FAILED', 'Please check.', { errors }));
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(sender).toHaveAccessibleDescription('Please write one sender'));
    server.answer(`PATCH ${path}`, refusal(409, 'SETTING_OVERRIDDEN', 'The variable MAIL_FROM says so.'));
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(toastText()).toContain('The variable MAIL_FROM says so.'));
    expect(sender).toHaveValue('nobody');
  });

  it('says what waits for the next start', async () => {
    await open([200, state({ address: ['https://zones.example', 'setting'] }, true)]);
    expect(await screen.findByRole('alert')).toHaveTextContent('Restart the server');
  });

  it('asks what the installation is for, and what everybody has only of a service', async () => {
    const { server, user } = await open([200, state()]);
    const own = await screen.findByRole('radio', { name: /^My own audience/ });
    expect(screen.getByRole('radio', { name: /^A service for other creators/ })).toBeChecked();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Plan of new accounts' }), 'Creator');
    server.answer(`PATCH ${path}`, [200, state({ defaultPlan: ['creator', 'setting'] })]);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(server.callsOf(`PATCH ${path}`)[0]?.body).toEqual({ defaultPlan: 'creator' }));
    expect(screen.getByRole('link', { name: 'Pricing' })).toBeInTheDocument();
    await user.click(own);
    expect(screen.queryByRole('combobox', { name: 'Plan of new accounts' })).not.toBeInTheDocument();
    server.answer(`PATCH ${path}`, [200, state({ purpose: ['own', 'setting'], defaultPlan: ['creator', 'setting'] })]);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(server.callsOf(`PATCH ${path}`)[1]?.body).toEqual({ purpose: 'own' }));
    // What is on the screen follows at once.
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Pricing' })).not.toBeInTheDocument());
    document.querySelector('meta[name="plans"]')?.remove();
  });

  it('shows the default plan that a variable says, and lets nobody choose another', async () => {
    await open([200, state({ defaultPlan: ['pro-creator', 'variable'] })]);
    const plan = await screen.findByRole('group', { name: 'Plan of new accounts' });
    expect(plan).toHaveTextContent('Pro Creator');
    expect(plan).toHaveTextContent('Set by the environment variable DEFAULT_PLAN.');
    expect(screen.queryByRole('combobox', { name: 'Plan of new accounts' })).not.toBeInTheDocument();
  });

  it('has addresses of terms, privacy and imprint, or what is written in their place', async () => {
    const { server, user } = await open([
      200,
      state({
        ...{ termsUrl: ['https://example.com/terms', 'variable'], termsEn: ['Never mind', 'setting'] },
        ...{ imprintEn: ['Sample Ltd', 'setting'] },
      }),
    ]);
    const terms = await screen.findByRole('group', { name: 'Link to your terms' });
    expect(terms).toHaveTextContent('Set by the environment variable TERMS_URL.');
    // A text means nothing beside a variable.
    expect(screen.queryByText('Or write your terms here')).not.toBeInTheDocument();
    const isOpen = (words: string) => screen.getByText(words).closest('details')!.open;
    expect([isOpen('Or write your privacy policy here'), isOpen('Or write your imprint here')]).toEqual([false, true]);
    await user.click(screen.getByText('Or write your privacy policy here'));
    await user.type(screen.getByRole('textbox', { name: /^Privacy policy in Türkçe/ }), 'Bir{Enter}{Enter}iki');
    await user.clear(screen.getByRole('textbox', { name: /^Imprint in English/ }));
    await user.type(screen.getByRole('textbox', { name: /^Link to your imprint/ }), 'https://example.com/i');
    server.answer(`PATCH ${path}`, [200, state({ privacyTr: ['Bir\n\niki', 'setting'] })]);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(toastText()).toContain('Site settings saved'));
    expect(server.callsOf(`PATCH ${path}`)[0]!.body).toEqual({
      ...{ privacyTr: 'Bir\n\niki', imprintEn: null, imprintUrl: 'https://example.com/i' },
    });
  });

  it('shows an objection to a text that was hidden', async () => {
    const { server, user } = await open([200, state()]);
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Sample');
    const errors = { termsTr: ['Please enter this without control characters'] };
    server.answer(`PATCH ${path}`, refusal(400, 'VALIDATION_FAILED', 'Please check.', { errors }));
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Please enter this without control characters')).toBeInTheDocument();
    expect(screen.getByText('Or write your terms here').closest('details')!.open).toBe(true);
  });

  it('is no tab of an administrator', async () => {
    const { server } = await open([403], someone({ role: 'admin' }));
    await screen.findByRole('tab', { name: 'System' });
    expect(screen.queryByRole('tab', { name: 'Installation' })).not.toBeInTheDocument();
    expect(server.callsOf(`GET ${path}`)).toEqual([]);
  });
});
