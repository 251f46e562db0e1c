import { screen, within } from '@testing-library/react';
import { notSignedIn, pretendApi, type Answer } from '../../../test/api';
import { renderProduct } from '../../../test/render';
import { linksIn } from './links-in';

const facts = {
  name: 'Sample Zones',
  sells: true,
  company: { name: null, director: null, type: null, phone: null, address: null },
  contactEmail: null,
  singleSignOn: null,
  figures: { creators: null, files: null, people: null },
};
type Legal = Partial<Record<'terms' | 'privacy' | 'imprint', string>>;

function serve(legal: Legal, more: Record<string, Answer> = {}) {
  const all = { terms: null, privacy: null, imprint: null, ...legal };
  return pretendApi({ 'GET /api/user': notSignedIn, 'GET /api/site': [200, { ...facts, legal: all }], ...more });
}

beforeEach(() => localStorage.clear());

describe('links in a text', () => {
  it.each([
    ['See https://example.com/a?b=c#d.', ['https://example.com/a?b=c#d']],
    ['(http://example.com/x) and a.b+c@mail.example.org!', ['http://example.com/x', 'mailto:a.b+c@mail.example.org']],
    ['javascript:alert(1) <a href="x">example.com</a> @home', []],
    ['', []],
  ])('are the addresses in %j', (text, hrefs) => {
    const pieces = linksIn(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.flatMap(({ href }) => href ?? [])).toEqual(hrefs);
  });
});

describe('the pages of terms and imprint', () => {
  it('show paragraphs and links of a text, and nothing of it as markup', async () => {
    const texts = { en: '1. Be kind\nalways\n\n<b>2.</b> See https://example.com/rules.', tr: 'Nazik olun' };
    serve({ terms: '/terms' }, { 'GET /api/site/legal/terms': [200, { address: null, texts }] });
    await renderProduct('/terms');
    expect(await screen.findByRole('heading', { level: 1, name: 'Terms' })).toBeInTheDocument();
    const link = await screen.findByRole('link', { name: 'https://example.com/rules' });
    expect(link).toHaveAttribute('href', 'https://example.com/rules');
    expect(link.closest('p')).toHaveTextContent('<b>2.</b> See https://example.com/rules.');
    expect([...document.querySelectorAll('.z-privacy-paragraph')]).toHaveLength(2);
    expect(document.querySelector('b')).toBeNull();
  });

  it('lead on, without going there, where it stands elsewhere', async () => {
    const address = 'https://example.com/kuenye';
    const texts = { en: null, tr: null };
    serve({ imprint: address }, { 'GET /api/site/legal/imprint': [200, { address, texts }] });
    await renderProduct('/imprint', { language: 'tr' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Künye' })).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: address })).toHaveAttribute('href', address);
  });

  it.each(['/terms', '/imprint'])('are not there where nothing is said: %s', async (path) => {
    const server = serve({ privacy: '/privacy' });
    await renderProduct(path);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
    expect(server.calls.filter(({ route }) => route.includes('/legal/'))).toEqual([]);
  });
});

describe('links to terms, privacy and imprint', () => {
  const links = (within_: HTMLElement) =>
    within(within_)
      .queryAllByRole('link', { name: /^(Terms|Privacy|Imprint)$/ })
      .map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('target')]);
  const elsewhere = 'https://example.com/terms';

  it('stand in the footer, as far as there are such', async () => {
    serve({ terms: elsewhere, imprint: '/imprint' });
    await renderProduct('/home');
    await screen.findByRole('link', { name: 'Terms' });
    expect(links(screen.getByRole('contentinfo'))).toEqual([
      ['Terms', elsewhere, null],
      ['Privacy', '/privacy', null],
      ['Imprint', '/imprint', null],
    ]);
  });

  it('of privacy alone where nothing is said', async () => {
    serve({});
    await renderProduct('/home');
    await screen.findByRole('heading', { level: 1 });
    expect(links(screen.getByRole('contentinfo'))).toEqual([['Privacy', '/privacy', null]]);
  });

  it.each([
    [
      'en',
      { terms: elsewhere },
      'By creating an account, you agree to the Terms and confirm that you have read the Privacy page.',
    ],
    ['en', { privacy: '/privacy' }, 'By creating an account, you confirm that you have read the Privacy page.'],
    [
      'tr',
      { terms: elsewhere },
      'Hesap oluşturarak Koşulları kabul eder ve Gizlilik sayfasını okuduğunuzu onaylarsınız.',
    ],
    ['tr', { privacy: '/privacy' }, 'Hesap oluşturarak Gizlilik sayfasını okuduğunuzu onaylarsınız.'],
  ] as const)('stand in a sentence at registration (%s, %j)', async (language, legal, sentence) => {
    serve(legal);
    await renderProduct('/auth?mode=register', { language });
    const last = await screen.findByRole('link', { name: /^(Privacy|Gizlilik)$/ });
    expect(last.closest('p')).toHaveTextContent(sentence);
    // The form keeps what was written.
    for (const link of within(last.closest('p')!).getAllByRole('link'))
      expect(link).toHaveAttribute('target', '_blank');
  });

  it('are not spoken of at registration where nothing is said', async () => {
    serve({ imprint: '/imprint' });
    await renderProduct('/auth?mode=register');
    await screen.findByLabelText('First name');
    expect(document.body).not.toHaveTextContent(/By creating an account/);
  });

  const zone = {
    ...{
      name: 'Watercolour',
      description: '',
      fileCount: 1,
      memberCount: 1,
      firstFiles: [],
      moreFiles: 0,
      owner: { firstName: 'Deniz', lastName: '.' },
    },
    ...{ autoJoin: true, requiresEmailOptin: true, consentText: 'I agree.' },
  };
  const invitation = {
    ...{ zoneName: 'Watercolour', inviterName: 'Olga', email: 'ayse@example.org', isExistingUser: true },
    ...{ isAccepted: false, requiresEmailOptin: true, consentText: 'I agree', expiresAt: '2026-12-01T00:00:00.000Z' },
  };
  const temporary = { ...zone, zoneName: 'Watercolour', requiresPassword: false, expiresAt: null };
  it.each([
    ['/join/abc', 'GET /api/public-zones/abc', zone],
    ['/zone/temp/abc', 'GET /api/temporary-links/abc', temporary],
    ['/invite/abc', 'GET /api/invite/abc', invitation],
  ])('stand quietly below the form of %s', async (path, route, answer) => {
    serve({ terms: '/terms', privacy: elsewhere }, { [route]: [200, answer] });
    await renderProduct(path);
    await screen.findByRole('link', { name: 'Terms' });
    expect(links(screen.getByRole('main'))).toEqual([
      ['Terms', '/terms', '_blank'],
      ['Privacy', elsewhere, '_blank'],
    ]);
  });
});

describe('an answer that was kept since before an upgrade', () => {
  const without = (missing: string) => ({ ...facts, [missing]: undefined });

  it('that says nothing of legal pages leaves it to the page itself what is said', async () => {
    const texts = { en: 'Be kind.', tr: null };
    const said: Answer = [200, { address: null, texts }];
    serve({}, { 'GET /api/site': [200, without('legal')], 'GET /api/site/legal/terms': said });
    await renderProduct('/terms');
    expect(await screen.findByText('Be kind.')).toBeInTheDocument();
  });

  it.each(['company', 'figures', 'singleSignOn', 'contactEmail'])(
    'is enough for the landing page without %s',
    async (missing) => {
      serve({}, { 'GET /api/site': [200, without(missing)] });
      await renderProduct('/home');
      expect(await screen.findByRole('contentinfo')).toHaveTextContent('Privacy');
      expect(document.body).not.toHaveTextContent(/undefined|NaN/);
    },
  );
});
