import { screen, within } from '@testing-library/react';
import { notSignedInResponse, mockApi, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { parseLinks } from './parse-links';
import { NO_LAST_NAME } from '../../shared/format/person';

const siteResponse = {
  name: 'Sample Zones',
  sells: true,
  company: { name: null, director: null, type: null, phone: null, address: null },
  contactEmail: null,
  singleSignOn: null,
  figures: { creators: null, files: null, people: null },
};
type Legal = Partial<Record<'terms' | 'privacy' | 'imprint', string>>;

function mockServer(legal: Legal, more: Record<string, MockResponse> = {}) {
  const all = { terms: null, privacy: null, imprint: null, ...legal };
  return mockApi({
    'GET /api/user': notSignedInResponse,
    'GET /api/site': [200, { ...siteResponse, legal: all }],
    ...more,
  });
}

beforeEach(() => localStorage.clear());

describe('parseLinks', () => {
  it.each([
    ['See https://example.com/a?b=c#d.', ['https://example.com/a?b=c#d']],
    ['(http://example.com/x) and a.b+c@mail.example.org!', ['http://example.com/x', 'mailto:a.b+c@mail.example.org']],
    ['javascript:alert(1) <a href="x">example.com</a> @home', []],
    ['', []],
  ])('finds the links in %j', (text, hrefs) => {
    const parts = parseLinks(text);
    expect(parts.map((part) => part.text).join('')).toBe(text);
    expect(parts.flatMap(({ href }) => href ?? [])).toEqual(hrefs);
  });
});

describe('Terms and imprint pages', () => {
  it('render paragraphs and links of the text and escape markup', async () => {
    const texts = { en: '1. Be kind\nalways\n\n<b>2.</b> See https://example.com/rules.', tr: 'Nazik olun' };
    mockServer({ terms: '/terms' }, { 'GET /api/site/legal/terms': [200, { address: null, texts }] });
    await renderApp('/terms');
    expect(await screen.findByRole('heading', { level: 1, name: 'Terms' })).toBeInTheDocument();
    const link = await screen.findByRole('link', { name: 'https://example.com/rules' });
    expect(link).toHaveAttribute('href', 'https://example.com/rules');
    expect(link.closest('p')).toHaveTextContent('<b>2.</b> See https://example.com/rules.');
    expect([...document.querySelectorAll('.z-privacy-paragraph')]).toHaveLength(2);
    expect(document.querySelector('b')).toBeNull();
  });

  it('link to an external page without redirecting', async () => {
    const address = 'https://example.com/kuenye';
    const texts = { en: null, tr: null };
    mockServer({ imprint: address }, { 'GET /api/site/legal/imprint': [200, { address, texts }] });
    await renderApp('/imprint', { language: 'tr' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Künye' })).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: address })).toHaveAttribute('href', address);
  });

  it.each(['/terms', '/imprint'])('return not found when no text is configured: %s', async (path) => {
    const server = mockServer({ privacy: '/privacy' });
    await renderApp(path);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
    expect(server.calls.filter(({ route }) => route.includes('/legal/'))).toEqual([]);
  });
});

describe('Links to terms, privacy and imprint', () => {
  const getLegalLinks = (container: HTMLElement) =>
    within(container)
      .queryAllByRole('link', { name: /^(Terms|Privacy|Imprint)$/ })
      .map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('target')]);
  const externalTermsUrl = 'https://example.com/terms';

  it('appear in the footer when configured', async () => {
    mockServer({ terms: externalTermsUrl, imprint: '/imprint' });
    await renderApp('/home');
    await screen.findByRole('link', { name: 'Terms' });
    expect(getLegalLinks(screen.getByRole('contentinfo'))).toEqual([
      ['Terms', externalTermsUrl, null],
      ['Privacy', '/privacy', null],
      ['Imprint', '/imprint', null],
    ]);
  });

  it('include only privacy when nothing is configured', async () => {
    mockServer({});
    await renderApp('/home');
    await screen.findByRole('heading', { level: 1 });
    expect(getLegalLinks(screen.getByRole('contentinfo'))).toEqual([['Privacy', '/privacy', null]]);
  });

  it.each([
    [
      'en',
      { terms: externalTermsUrl },
      'By creating an account, you agree to the Terms and confirm that you have read the Privacy page.',
    ],
    ['en', { privacy: '/privacy' }, 'By creating an account, you confirm that you have read the Privacy page.'],
    [
      'tr',
      { terms: externalTermsUrl },
      'Hesap oluşturarak Koşulları kabul eder ve Gizlilik sayfasını okuduğunuzu onaylarsınız.',
    ],
    ['tr', { privacy: '/privacy' }, 'Hesap oluşturarak Gizlilik sayfasını okuduğunuzu onaylarsınız.'],
  ] as const)('appear in a sentence at registration (%s, %j)', async (language, legal, sentence) => {
    mockServer(legal);
    await renderApp('/auth?mode=register', { language });
    const last = await screen.findByRole('link', { name: /^(Privacy|Gizlilik)$/ });
    expect(last.closest('p')).toHaveTextContent(sentence);
    // Links open in a new tab, so that the form keeps its input.
    for (const link of within(last.closest('p')!).getAllByRole('link'))
      expect(link).toHaveAttribute('target', '_blank');
  });

  it('are not shown at registration when nothing is configured', async () => {
    mockServer({ imprint: '/imprint' });
    await renderApp('/auth?mode=register');
    await screen.findByLabelText('First name');
    expect(document.body).not.toHaveTextContent(/By creating an account/);
  });

  const zone = {
    name: 'Watercolour',
    description: '',
    fileCount: 1,
    memberCount: 1,
    firstFiles: [],
    moreFiles: 0,
    owner: { firstName: 'Deniz', lastName: NO_LAST_NAME },
    autoJoin: true,
    requiresEmailOptin: true,
    consentText: 'I agree.',
  };
  const invitation = {
    zoneName: 'Watercolour',
    inviterName: 'Olga',
    email: 'ayse@example.org',
    isExistingUser: true,
    isAccepted: false,
    requiresEmailOptin: true,
    consentText: 'I agree',
    expiresAt: '2026-12-01T00:00:00.000Z',
  };
  const temporary = { ...zone, zoneName: 'Watercolour', requiresPassword: false, expiresAt: null };
  it.each([
    ['/join/abc', 'GET /api/public-zones/abc', zone],
    ['/zone/temp/abc', 'GET /api/temporary-links/abc', temporary],
    ['/invite/abc', 'GET /api/invite/abc', invitation],
  ])('appear below the form of %s', async (path, route, response) => {
    mockServer({ terms: '/terms', privacy: externalTermsUrl }, { [route]: [200, response] });
    await renderApp(path);
    await screen.findByRole('link', { name: 'Terms' });
    expect(getLegalLinks(screen.getByRole('main'))).toEqual([
      ['Terms', '/terms', '_blank'],
      ['Privacy', externalTermsUrl, '_blank'],
    ]);
  });
});

describe('Site response cached before an upgrade', () => {
  const siteWithout = (missing: string) => ({ ...siteResponse, [missing]: undefined });

  it('loads the legal page when it lacks legal texts', async () => {
    const texts = { en: 'Be kind.', tr: null };
    const legalResponse: MockResponse = [200, { address: null, texts }];
    mockServer({}, { 'GET /api/site': [200, siteWithout('legal')], 'GET /api/site/legal/terms': legalResponse });
    await renderApp('/terms');
    expect(await screen.findByText('Be kind.')).toBeInTheDocument();
  });

  it.each(['company', 'figures', 'singleSignOn', 'contactEmail'])(
    'is sufficient to render the landing page without %s',
    async (missing) => {
      mockServer({}, { 'GET /api/site': [200, siteWithout(missing)] });
      await renderApp('/home');
      expect(await screen.findByRole('contentinfo')).toHaveTextContent('Privacy');
      expect(document.body).not.toHaveTextContent(/undefined|NaN/);
    },
  );
});
