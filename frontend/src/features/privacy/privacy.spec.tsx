import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, within } from '@testing-library/react';
import { notSignedInResponse, mockApi, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';

const site = {
  name: 'Sample Zones',
  company: { name: null, director: null, type: null, phone: null, address: null },
  contactEmail: 'hello@example.com',
  singleSignOn: null as string | null,
  figures: { creators: null, files: null, people: null },
  retention: { webhookBodies: 90, ips: 1, linkUsages: 1400, campaignEvents: 400, activity: 0, reading: 30 },
  uses: { payments: false, places: 'country', files: 'machine' },
  legal: { terms: null, privacy: null as string | null, imprint: null },
};

const renderPrivacyPage = async (
  language: 'en' | 'tr',
  changes: Partial<typeof site> = {},
  more: Record<string, MockResponse> = {},
) => {
  mockApi({ 'GET /api/user': notSignedInResponse, 'GET /api/site': [200, { ...site, ...changes }], ...more });
  await renderApp('/privacy', { language });
  return screen.findByRole('table');
};

/** Reads the retention fields documented in the OpenAPI description. */
function readRetentionFields(): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8');
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, { properties: object }> } };
  return Object.keys(components.schemas.RetentionDto!.properties);
}

describe('Privacy page', () => {
  it('shows the configured retention periods', async () => {
    const table = await renderPrivacyPage('en');
    expect(screen.getByText('What Sample Zones keeps about you, and for how long.')).toBeInTheDocument();
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => [row.querySelector('th')?.textContent?.slice(0, 14), row.querySelector('td')?.textContent]);
    expect(rows).toEqual([
      ['IP addresses o', '1 day'],
      ['Individual att', '1,400 days'],
      ['Individual ema', '400 days'],
      ['What happened ', 'As long as the service runs'],
      ['Each page that', '30 days'],
      ['The exact mess', '90 days'],
    ]);
    expect(screen.getAllByRole('link', { name: 'hello@example.com' })[0]).toHaveAttribute(
      'href',
      'mailto:hello@example.com',
    );
    expect(screen.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
  });

  it.each(['en', 'tr'] as const)('lists every configurable retention period (%s)', async (language) => {
    const names = readRetentionFields();
    expect(names.length).toBeGreaterThan(3);
    const retention = Object.fromEntries(names.map((name, index) => [name, 1001 + index])) as typeof site.retention;
    const table = await renderPrivacyPage(language, { retention });
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => [row.querySelector('th')!.textContent, row.querySelector('td')!.textContent.replace(/\D/g, '')]);
    expect(rows.map(([, days]) => days).sort()).toEqual(names.map((_, index) => String(1001 + index)));
    expect(new Set(rows.map(([what]) => what)).size).toBe(names.length);
  });

  it.each(Object.keys(site))('renders when a response from before an upgrade lacks %s', async (missing) => {
    mockApi({ 'GET /api/user': notSignedInResponse, 'GET /api/site': [200, { ...site, [missing]: undefined }] });
    await renderApp('/privacy');
    await screen.findByText(/^What .+ keeps about you, and for how long\.$/);
    const expectedText =
      missing === 'uses' ? screen.findByRole('table') : screen.findByText(/we look up the country of your IP address/);
    expect(await expectedText).toBeInTheDocument();
    expect(screen.queryAllByRole('table')).toHaveLength(missing === 'retention' ? 0 : 1);
    expect(document.body).not.toHaveTextContent(/undefined|NaN|you sign in with/);
  });

  it('leaves out values missing from a response from before an upgrade', async () => {
    const { activity: _, ...retention } = site.retention;
    const table = await renderPrivacyPage('en', {
      retention: retention as typeof site.retention,
      uses: {} as typeof site.uses,
    });
    expect(within(table).getAllByRole('row')).toHaveLength(6);
    expect(document.body).not.toHaveTextContent(/undefined|NaN|places\.|files\./);
  });

  it('is translated into Turkish', async () => {
    const table = await renderPrivacyPage('tr');
    expect(within(table).getByText('90 gün')).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Gizlilik' })).toBeInTheDocument();
  });

  it('names the processors in use and none that are disabled', async () => {
    await renderPrivacyPage('en');
    expect(screen.getByText(/we look up the country of your IP address/)).toBeInTheDocument();
    expect(screen.getByText('Files are stored on this service’s own server.')).toBeInTheDocument();
    expect(document.body).not.toHaveTextContent(/Stripe|Google|city|you sign in with/);
  });

  it('names payments, city lookup, bucket storage and the single sign-on provider when enabled', async () => {
    const uses = { payments: true, places: 'city', files: 'bucket' };
    await renderPrivacyPage('tr', { uses, singleSignOn: 'Örnek Kimlik' });
    for (const pattern of [/Plan ödemelerini Stripe alır/, /IP adresinizin ülkesine ve şehrine/, /Google Cloud/]) {
      expect(screen.getByText(pattern)).toBeInTheDocument();
    }
    expect(screen.getByText(/^Örnek Kimlik ile giriş yaparsanız/)).toBeInTheDocument();
    expect(document.body).not.toHaveTextContent('kendi sunucusunda');
  });

  it('shows the operator’s text before the retention periods', async () => {
    const legal = { ...site.legal, privacy: '/privacy' };
    const texts = { en: null, tr: 'Sözümüz.\n\nBize yazın: a@example.org.' };
    await renderPrivacyPage('en', { legal }, { 'GET /api/site/legal/privacy': [200, { address: null, texts }] });
    const operatorText = await screen.findByText('Sözümüz.');
    // Falls back to the text in the other language.
    expect(operatorText.parentElement).toHaveAttribute('lang', 'tr');
    expect(screen.getByRole('link', { name: 'a@example.org' })).toHaveAttribute('href', 'mailto:a@example.org');
    const retentionHeading = screen.getByRole('heading', {
      level: 2,
      name: 'What Sample Zones keeps about you, and for how long.',
    });
    expect(operatorText.compareDocumentPosition(retentionHeading)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getByRole('table')).toBeInTheDocument();
  });
});
