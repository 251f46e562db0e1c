import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import supertest from 'supertest';
import { AppConfig } from '../../config/app-config.js';
import { AppError } from '../../errors/app-error.js';
import { inlineScriptSources } from './built-page.js';
import { PrerenderRegistry } from './prerender-registry.js';
import { servePage } from './serve-page.js';

/** Replaces the SSR build of the frontend's components (frontend/src/app/page-renderers.tsx). */
const pageRenderers = `
const words = { en: 'English', tr: 'Türkçe' };
exports.createPageRenderers = async () => ({
  landing: (language, site) => ({
    html: '<h1>' + words[language] + ' by ' + document.querySelector('meta[name="application-name"]').content.replace('&', '&amp;') + '</h1>' +
      (site ? '<b>' + site.files + '</b>' : ''),
    title: words[language] + ' title',
    description: words[language] + ' "description"',
  }),
  signIn: (language) => ({ html: '<form>' + words[language] + '</form>', title: 'Sign in', description: null }),
  publicJoin: (language, site, zone) => ({
    html: '<h1>' + zone.name + ' in ' + words[language] + '</h1>',
    title: zone.name,
    description: zone.description,
  }),
});
`;
const index =
  '<!doctype html><html lang="en"><head><meta\n name="description"\n content="built" />' +
  '<meta name="application-name" content="Zonary" /><title>Zonary</title><style>.plain{}</style><script>first()</script>' +
  '<script type="module" crossorigin src="/assets/index-1.js"></script><link rel="modulepreload" href="/assets/b.js">' +
  '</head><body><div id="root"></div></body></html>';

const needs = (name: string, prefetches: string[] = []) => ({
  parts: { en: [`assets/${name}.js`, 'assets/en.js'], tr: [`assets/${name}.js`, 'assets/tr.js'] },
  prefetches,
});
const pages = [
  { pattern: '^/?$', signedIn: true, ...needs('dashboard', ['/api/zones']), memberHomePrefetches: ['/api/home'] },
  { pattern: '^/home/?$', signedIn: false, ...needs('landing') },
  { pattern: '^/auth/?$', signedIn: false, ...needs('auth', ['/api/session', '/api/site']) },
  { pattern: '^/login/?$', signedIn: false, ...needs('auth', ['/api/session', '/api/site']) },
  { pattern: '^/pricing/?$', signedIn: false, ...needs('pricing', ['/api/session', '/api/plans']) },
  { pattern: '^/checkout/?$', signedIn: true, ...needs('checkout') },
  { pattern: '^/terms/?$', signedIn: false, ...needs('legal') },
  { pattern: '^/imprint/?$', signedIn: false, ...needs('legal') },
  { pattern: '^/privacy/?$', signedIn: false, ...needs('privacy') },
  { pattern: '^/join/[^/]+/?$', signedIn: false, ...needs('join', ['/api/session']) },
  { pattern: '^/invite/[^/]+/?$', signedIn: false, ...needs('invite') },
  { pattern: '^/zones/[^/]+/?$', signedIn: true, ...needs('zone', ['/api/session', '/api/zones/:2']) },
];
const signIn = needs('sign-in', ['/api/session']);

describe('Page server', () => {
  let folder: string;
  const facts = new PrerenderRegistry();
  const registerSite = (site: object, isWhole = true) => {
    const siteData = { site, isComplete: isWhole };
    facts.registerSite(() => Promise.resolve(siteData));
  };
  const loadResponse = jest.fn<Promise<object>, [string, string, string]>();
  facts.registerPages({
    path: /^\/join\/(\w+)$/,
    renderer: 'publicJoin',
    apiPath: (name) => `/api/links/${name}`,
    loadResponse,
  });
  const checkStatus = jest.fn<Promise<unknown>, [string, string]>();
  facts.registerStatusOnly({ path: /^\/invite\/(\w+)$/, check: checkStatus });
  beforeEach(() => {
    registerSite({ files: 1 }, false);
    checkStatus.mockReset().mockResolvedValue({ zoneName: 'Pottery' });
    loadResponse.mockReset();
  });
  let page: ReturnType<typeof supertest>;
  let config: AppConfig;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonary-page-'));
    mkdirSync(join(folder, 'assets'));
    const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
    write('index.html', index);
    write('pages.json', JSON.stringify({ pages, signIn }));
    write('.page-renderers.cjs', pageRenderers);
    write('assets/a.js', 'plain');
    write('assets/a.js.gz', gzipSync('compressed'));
    write('assets/b.js', 'only plain');
    const server = express();
    const app = { use: server.use.bind(server), getHttpAdapter: () => ({ getInstance: () => server }) };
    const env = { DATA_DIR: folder, LOG_LEVEL: 'silent' };
    config = AppConfig.from(env);
    servePage(app as unknown as NestExpressApplication, config, facts, folder);
    page = supertest(server);
  });
  beforeEach(() => config.applySettings({ name: 'Tom & <Co>', address: 'https://zones.example' }));
  afterAll(() => rmSync(folder, { recursive: true }));
  const html = async (path: string, headers: Record<string, string> = {}, status = 200) =>
    (await page.get(path).set(headers).expect(status)).text;

  it('prerenders the landing page in the language of the browser', async () => {
    expect(await html('/', { 'Accept-Language': 'de, tr;q=0.8' })).toMatch(
      /<html [^>]*lang="tr">.*<h1>Türkçe by Tom &amp; /s,
    );
    const english = await html('/home');
    expect(english).toContain('<div id="root"><h1>English by Tom &amp; <Co></h1><b>1</b></div>');
    expect(english).toContain('<style>.plain{}</style>');
    expect(english).toContain('<title>English title · Tom &#38; &#60;Co&#62;</title>');
    expect(english).not.toMatch(/modulepreload|type="module"|data-prefetches/);
    expect(english).toContain(
      '<html data-entry="/assets/index-1.js" data-parts="/assets/b.js /assets/landing.js /assets/en.js" lang="en">',
    );
  });

  it('prerenders the plain sign-in form for signed-out visitors and starts the app at once', async () => {
    for (const path of ['/auth', '/login/', '/auth?next=%2Fzones', '/auth?mode=login']) {
      const text = await html(path, { 'Accept-Language': 'tr' });
      expect(text).toContain('<div id="root"><form>Türkçe</form></div>');
      expect(text).toContain(
        '<html data-entry="/assets/index-1.js" data-at-once data-prefetches="/api/session" lang="tr">',
      );
      const preloads = [...text.matchAll(/rel="modulepreload" crossorigin href="([^"]+)"/g)].map(([, href]) => href);
      expect(preloads).toEqual(['/assets/index-1.js', '/assets/b.js', '/assets/auth.js', '/assets/tr.js']);
    }
    for (const path of ['/auth?mode=register', '/auth?email=a%40b.example', '/auth?step=factor', '/auth?sso=link'])
      expect(await html(path)).toContain('<div id="root"></div>');
    expect(await html('/auth', { Cookie: 'zonary_session=abc' })).toContain('<div id="root"></div>');
  });

  it('applies a changed name and address at once, even to cached pages', async () => {
    loadResponse.mockResolvedValue({ name: 'Piano', description: null });
    const paths = ['/', '/pricing', '/join/abc'];
    for (const path of paths) expect(await html(path)).toContain('content="Tom &#38; &#60;Co&#62;"');
    config.applySettings({ name: 'Sample', address: 'https://sample.example' });
    for (const path of paths) {
      const text = await html(path);
      expect(text).toContain('<meta property="og:site_name" content="Sample">');
      expect(text).toContain('content="https://sample.example/share.png"');
      expect(text).not.toMatch(/Tom|zones\.example/);
    }
    expect(await html('/')).toContain('<h1>English by Sample</h1>');
  });

  it('returns 404 for pricing pages where nothing is sold and marks the page accordingly', async () => {
    for (const path of ['/pricing', '/checkout']) expect(await html(path)).not.toContain('<meta name="plans"');
    config.applySettings({ purpose: 'own' });
    for (const path of ['/pricing', '/pricing/', '/Pricing', '/checkout']) {
      const { text, headers } = await page.get(path).expect(404);
      expect(text).toContain('<meta name="plans" content="none">');
      expect(headers['x-robots-tag']).toBe('noindex');
    }
    expect(await html('/')).toContain('<meta name="plans" content="none">');
    config.applySettings({ purpose: 'service' });
    expect(await html('/pricing')).not.toContain('<meta name="plans"');
  });

  it('serves terms and imprint only where they exist, and privacy always', async () => {
    for (const path of ['/terms', '/Terms/', '/imprint']) await html(path, {}, 404);
    await html('/privacy');
    config.applySettings({ termsTr: 'Metin', imprintUrl: 'https://example.com/imprint' });
    for (const path of ['/terms', '/Terms/', '/imprint']) expect(await html(path)).toContain('/assets/legal.js');
    config.applySettings({});
    await html('/terms', {}, 404);
  });

  it('embeds current figures of the installation as safely escaped data', async () => {
    expect(await html('/')).not.toContain('id="preloaded-responses"');
    registerSite({ files: 12_345, company: '</script><script>' });
    expect(await html('/', { 'Accept-Language': 'tr' })).toContain(
      '<script type="application/json" id="preloaded-responses">{"language":"tr","responses":{"/api/site":{"files":12345,"company":"\\u003c/script>\\u003cscript>"}}}</script></head>',
    );
    expect(await html('/')).toContain('<b>12345</b>');
    registerSite({ files: 12_346 });
    expect(await html('/')).toContain('</h1><b>12346</b></div>');
  });

  it('prerenders what the URL refers to and embeds the response used for it', async () => {
    loadResponse.mockResolvedValue({ name: 'Piano', description: null });
    registerSite({ files: 2 });
    const text = await html('/join/abc', { 'Accept-Language': 'tr' });
    expect(loadResponse).toHaveBeenCalledWith('abc', 'tr', expect.any(String));
    expect(text).toContain('<div id="root"><h1>Piano in Türkçe</h1></div>');
    expect(text).toContain('<title>Piano · Tom &#38; &#60;Co&#62;</title>');
    expect(text).toContain('"/api/links/abc":{"name":"Piano","description":null}');
    expect(text).toContain('<meta name="description" content="Türkçe &#34;description&#34;">');
    expect(text).not.toMatch(/data-at-once|canonical/);
    expect(await html('/join/abc', { Cookie: 'zonary_session=abc' })).toContain(' data-at-once ');
    const { headers } = await page.get('/join/abc').expect(200);
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-cache' });
  });

  it('returns the status of a missing link and falls back to the client on other errors', async () => {
    for (const status of [404, 410]) {
      loadResponse.mockRejectedValue(new AppError(status, 'GONE', { en: 'Gone.', tr: 'Yok.' }));
      expect(await html('/join/abc', {}, status)).toContain('<div id="root"></div>');
    }
    for (const error of [
      new AppError(429, 'LATER', { en: 'Later.', tr: 'Sonra.' }),
      new Error('The database is away.'),
    ]) {
      loadResponse.mockRejectedValue(error);
      const text = await html('/join/abc');
      expect(text).toContain('<div id="root"></div>');
      expect(text).toContain('href="/assets/join.js"');
    }
  });

  it('returns the status of pages that are not prerendered without revealing contents', async () => {
    const open = await html('/invite/abc', { Cookie: 'zonary_session=abc' });
    expect(checkStatus).toHaveBeenCalledWith('abc', expect.any(String));
    expect(open).toContain('href="/assets/invite.js"');
    expect(open).not.toContain('Pottery');
    checkStatus.mockRejectedValue(new AppError(404, 'GONE', { en: 'Gone.', tr: 'Yok.' }));
    expect(await html('/invite/abc', {}, 404)).toContain('href="/assets/invite.js"');
    checkStatus.mockRejectedValue(new AppError(429, 'LATER', { en: 'Later.', tr: 'Sonra.' }));
    await html('/invite/abc');
  });

  it('serves an empty document to signed-in users and at other URLs', async () => {
    for (const cookie of ['zonary_session=abc', 'a=b; __Host-zonary_session=abc']) {
      expect(await html('/', { Cookie: cookie })).toContain('<div id="root"></div>');
      expect(await html('/home', { Cookie: cookie })).toContain('type="module"');
    }
    expect(await html('/pricing')).toContain('<div id="root"></div>');
  });

  it('preloads the scripts and requests of each page, or the sign-in page when signed out', async () => {
    const Cookie = 'zonary_session=abc';
    const zone = await html('/zones/7', { Cookie });
    expect(zone).toContain('<link rel="modulepreload" crossorigin href="/assets/zone.js">');
    expect(zone).toContain('<link rel="modulepreload" crossorigin href="/assets/en.js">');
    expect(zone).toContain('<html data-prefetches="/api/session /api/zones/:2" lang="en">');
    expect(await html('/zones/7', { Cookie, 'Accept-Language': 'tr' })).toContain('href="/assets/tr.js"');
    const first = await html('/', { Cookie });
    expect(first).toContain('<html data-prefetches="/api/zones" data-member-home-prefetches="/api/home" lang="en">');
    expect(await html('/')).not.toContain('data-member-home-prefetches');
    const signedOut = await html('/zones/7');
    expect(signedOut).toContain('href="/assets/sign-in.js"');
    expect(signedOut).toContain('data-prefetches="/api/session"');
    expect(signedOut).not.toContain('zone.js');
    expect(await html('/pricing')).toContain('data-prefetches="/api/session /api/plans"');
    expect(await html('/nowhere', {}, 404)).not.toMatch(/data-prefetches|pricing\.js/);
  });

  it('allows only the inline scripts of the build by their hashes', () => {
    const digest = createHash('sha256').update('first()').digest('base64');
    expect(inlineScriptSources(folder)).toEqual([`'sha256-${digest}'`]);
    expect(inlineScriptSources(join(folder, 'nowhere'))).toEqual([]);
  });

  it('writes link preview metadata with absolute URLs', async () => {
    const text = await html('/');
    expect(text).toContain('<meta property="og:title" content="Tom &#38; &#60;Co&#62; – English title">');
    expect(text).toContain('<meta property="og:image" content="https://zones.example/share.png">');
    expect(text).toContain('<meta property="og:url" content="https://zones.example/">');
    expect(text).toContain('<link rel="canonical" href="https://zones.example/">');
    expect(text.match(/name="description"/g)).toHaveLength(1);
    expect(await html('/pricing')).toContain('<link rel="canonical" href="https://zones.example/pricing">');
    expect(await html('/zones/7')).not.toContain('canonical');
  });

  it('serves the page with 404 for unknown URLs and noindex for private ones', async () => {
    expect(await html('/nowhere', {}, 404)).toContain('<div id="root">');
    await page.get('/zones/7/else').expect(404).expect('X-Robots-Tag', 'noindex');
    await page.get('/zones/7').expect(200).expect('X-Robots-Tag', 'noindex');
    expect((await page.get('/')).headers).not.toHaveProperty('x-robots-tag');
    await page
      .get('/api/nothing')
      .expect(404)
      .expect('Content-Type', /text\/html/);
  });

  it('does not shadow any API route', async () => {
    const contract = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../..', 'openapi.json'), 'utf8')) as {
      paths: object;
    };
    const shadowedPaths: string[] = [];
    for (const path of Object.keys(contract.paths)) {
      const { text } = await page.get(path.replace(/[{}]/g, '')).expect(404);
      if (text.includes('<div id="root">')) shadowedPaths.push(path);
    }
    expect(shadowedPaths).toEqual([]);
  });

  it('is compressed once for clients that accept it', async () => {
    const response = await page.get('/').set('Accept-Encoding', 'br').expect('Content-Encoding', 'br');
    expect(response.headers.vary).toMatch(/Accept-Encoding/);
    const plain = await page.get('/').set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.text).toContain('English by');
    expect(plain.headers['cache-control']).toBe('no-cache');
  });

  it('serves assets as immutable in the smallest accepted encoding', async () => {
    const gzip = await page.get('/assets/a.js').set('Accept-Encoding', 'gzip, br').expect('Content-Encoding', 'gzip');
    expect(gzip.text).toBe('compressed');
    expect(gzip.headers['content-type']).toMatch('javascript');
    expect(gzip.headers['cache-control']).toMatch('immutable');
    expect((await page.get('/assets/a.js').set('Accept-Encoding', 'identity')).text).toBe('plain');
    expect((await page.get('/assets/b.js').set('Accept-Encoding', 'gzip')).text).toBe('only plain');
    await page.get('/assets/c.js').expect(404);
    await page.get('/.landing.json').expect(404);
  });
});
