import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import supertest from 'supertest';
import { AppConfig } from '../../config/app-config.js';
import { PageFacts, type Facts } from './page-facts.js';
import { servePage } from './page.js';

const drawn = (words: string) => ({
  title: `${words} title`,
  description: `${words} "description"`,
  html: `<h1>${words} by [[appName]]</h1>[[?phone]]<i>[[phone]]</i>[[/phone]][[?files]]<b>[[files]]</b>[[/files]]`,
  head: '<style>.drawn{}</style>',
});
const index =
  '<!doctype html><html lang="en"><head><meta\n name="description"\n content="built" />' +
  '<meta name="application-name" content="Zonary" /><title>Zonary</title><link rel="stylesheet" crossorigin href="/assets/a.css">' +
  '<script type="module" crossorigin src="/assets/index-1.js"></script><link rel="modulepreload" href="/assets/b.js">' +
  '</head><body><div id="root"></div></body></html>';

describe('the page', () => {
  let folder: string;
  const facts = new PageFacts();
  const tell = (marks: Facts['marks'], answer: object | null) => {
    const told = { marks, answer };
    facts.register(() => Promise.resolve(told));
  };
  beforeEach(() => tell({}, null));
  let page: ReturnType<typeof supertest>;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonary-page-'));
    mkdirSync(join(folder, 'assets'));
    const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
    write('index.html', index);
    write('pages.json', JSON.stringify(['^/?$', '^/home/?$', '^/pricing/?$', '^/zones/[^/]+/?$']));
    write('.landing.json', JSON.stringify({ en: drawn('English'), tr: drawn('Türkçe') }));
    write('assets/a.js', 'plain');
    write('assets/a.js.gz', gzipSync('compressed'));
    write('assets/b.js', 'only plain');
    const server = express();
    const app = { use: server.use.bind(server), getHttpAdapter: () => ({ getInstance: () => server }) };
    const env = { DATA_DIR: folder, APP_NAME: 'Tom & <Co>', APP_URL: 'https://zones.example' };
    servePage(app as unknown as NestExpressApplication, AppConfig.from(env), facts, folder);
    page = supertest(server);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const html = async (path: string, headers: Record<string, string> = {}, status = 200) =>
    (await page.get(path).set(headers).expect(status)).text;

  it('comes with the landing page drawn in it, in the language of the browser', async () => {
    expect(await html('/', { 'Accept-Language': 'de, tr;q=0.8' })).toMatch(
      /<html lang="tr">.*<h1>Türkçe by Tom &#38; /s,
    );
    const english = await html('/home');
    expect(english).toContain('<div id="root"><h1>English by Tom &#38; &#60;Co&#62;</h1></div>');
    expect(english).toContain('<style>.drawn{}</style></head>');
    expect(english).toContain('<title>English title · Tom &#38; &#60;Co&#62;</title>');
    expect(english).not.toMatch(/rel="stylesheet"|modulepreload|type="module"/);
    expect(english).toContain('<script src="/landing-start.js" data-entry="/assets/index-1.js" defer></script>');
  });

  it('tells of this installation what is known at the moment, for the program as data that nothing can break out of', async () => {
    expect(await html('/')).not.toMatch(/<[ib]>|id="site"/);
    tell({ phone: '1 & 2', files: 12_345 }, { company: '</script><script>' });
    const text = await html('/', { 'Accept-Language': 'tr' });
    expect(text).toContain('<i>1 &#38; 2</i><b>12.345</b>');
    expect(text).toContain(
      '<script type="application/json" id="site">{"company":"\\u003c/script>\\u003cscript>"}</script></head>',
    );
    expect(await html('/')).toContain('<b>12,345</b>');
    tell({ phone: null, files: 12_346 }, {});
    expect(await html('/')).toContain('</h1><b>12,346</b></div>');
  });

  it('is empty for who is signed in, and at every other address', async () => {
    for (const cookie of ['zonary_session=abc', 'a=b; __Host-zonary_session=abc']) {
      expect(await html('/', { Cookie: cookie })).toContain('<div id="root"></div>');
      expect(await html('/home', { Cookie: cookie })).toContain('type="module"');
    }
    expect(await html('/pricing')).toContain('<div id="root"></div>');
    expect(await html('/zones/7')).toContain('rel="stylesheet"');
  });

  it('tells what others show of a link to it, with absolute addresses', async () => {
    const text = await html('/');
    expect(text).toContain('<meta property="og:title" content="Tom &#38; &#60;Co&#62; – English title">');
    expect(text).toContain('<meta property="og:image" content="https://zones.example/share.png">');
    expect(text).toContain('<meta property="og:url" content="https://zones.example/">');
    expect(text).toContain('<link rel="canonical" href="https://zones.example/">');
    expect(text.match(/name="description"/g)).toHaveLength(1);
    expect(await html('/pricing')).toContain('<link rel="canonical" href="https://zones.example/pricing">');
    expect(await html('/zones/7')).not.toContain('canonical');
  });

  it('answers 404 with the page where there is none, and keeps what is private from search engines', async () => {
    expect(await html('/nowhere', {}, 404)).toContain('<div id="root">');
    await page.get('/zones/7/else').expect(404).expect('X-Robots-Tag', 'noindex');
    await page.get('/zones/7').expect(200).expect('X-Robots-Tag', 'noindex');
    expect((await page.get('/')).headers).not.toHaveProperty('x-robots-tag');
    await page
      .get('/api/nothing')
      .expect(404)
      .expect('Content-Type', /text\/html/);
  });

  it('is compressed once, for those who take it', async () => {
    const answer = await page.get('/').set('Accept-Encoding', 'br').expect('Content-Encoding', 'br');
    expect(answer.headers.vary).toMatch(/Accept-Encoding/);
    const plain = await page.get('/').set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.text).toContain('English by');
    expect(plain.headers['cache-control']).toBe('no-cache');
  });

  it('has assets for ever, in the smallest form that is there', async () => {
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
