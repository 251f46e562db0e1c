import { AppConfig } from '../config/app-config.js';
import { EmailLayout } from './email-layout.js';

const config = AppConfig.from({
  APP_NAME: 'Zon & ary',
  APP_URL: 'https://zonary.test',
  APP_SECRET: 'a secret of these tests that is long enough',
});
const layout = new EmailLayout(config);
const button = { label: 'Open the zone', url: 'https://zonary.test/zones/1?a=1&b=2' };
const full = {
  subject: 'Welcome',
  heading: 'Your zone is ready',
  paragraphs: ['First paragraph.', 'Second paragraph.'],
  code: '123456',
  button,
  note: 'You may ignore this.',
};

describe('EmailLayout', () => {
  it('links to imprint and privacy policy where they exist', async () => {
    const plain = await layout.render(full, 'en');
    expect(plain.html + plain.text).not.toMatch(/Imprint|Privacy/);
    config.applySettings({ privacyEn: 'We care.', imprintUrl: 'https://example.com/?a=1&b=2', termsEn: 'Be kind.' });
    const { html, text } = await layout.render(full, 'tr');
    config.applySettings({});
    expect(html).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(html).toContain('href="https://zonary.test/privacy"');
    expect(text).toMatch(/\nKünye: https:\/\/example\.com\/\?a=1&b=2\nGizlilik: https:\/\/zonary\.test\/privacy\n$/);
    expect(html + text).not.toContain('/terms');
  });

  it('has the same content in both parts', async () => {
    const { html, text } = await layout.render(full, 'en');
    for (const greeting of [
      'Your zone is ready',
      'First paragraph.',
      'Second paragraph.',
      '123456',
      'You may ignore this.',
    ]) {
      expect(html).toContain(greeting);
      expect(text).toContain(greeting);
    }
    expect(text).toContain('Open the zone:\nhttps://zonary.test/zones/1?a=1&b=2');
    expect(html).toContain('href="https://zonary.test/zones/1?a=1&amp;b=2"');
    expect(text).toContain('Sent by Zon & ary. https://zonary.test');
  });

  it('omits what an email does not have', async () => {
    const { html, text } = await layout.render({ subject: 's', heading: 'Only this', paragraphs: ['One.'] }, 'en');
    expect(html).not.toMatch(/class="(code|action|link|note)"/);
    expect(text).toBe('Only this\n\nOne.\n\n--\nSent by Zon & ary. https://zonary.test\n');
  });

  it('uses the language of the email', async () => {
    const { html, text } = await layout.render(full, 'tr');
    expect(html).toContain('<html lang="tr">');
    expect(html).toContain('Düğme çalışmazsa şu bağlantıyı açın:');
    expect(text).toContain('Zon & ary tarafından gönderildi.');
  });

  it('escapes everything and expands nothing that users wrote', async () => {
    const evil = '<img src=x onerror=alert(1)> {{button.url}} {{appName}}';
    const { html, subject } = await layout.render(
      {
        subject: evil,
        heading: evil,
        paragraphs: [evil],
        code: evil,
        button: { label: evil, url: 'https://x.test/"><b>' },
        note: evil,
      },
      'en',
    );
    expect(html).not.toMatch(/<img|<b>/);
    expect(html.match(/\{\{button\.url\}\} \{\{appName\}\}/g)!.length).toBeGreaterThanOrEqual(6);
    expect(subject).toBe(evil);
  });

  it('puts the subject on one line', async () => {
    const { subject } = await layout.render({ ...full, subject: ' Zone\r\nBcc: x@example.com\u2028\0end ' }, 'en');
    expect(subject).toBe('Zone Bcc: x@example.com end');
  });

  it.each(['javascript:alert(1)', '/zones/1', 'data:text/html,x'])('rejects a button to %s', async (url) => {
    await expect(layout.render({ ...full, button: { label: 'x', url } }, 'en')).rejects.toThrow('http or https');
  });

  it('is readable without images and in dark mode, with inline styles', async () => {
    const { html } = await layout.render(full, 'en');
    expect(html).not.toMatch(/<img|url\(|<link|<script/);
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).toMatch(/<h1[^>]* style="[^"]*color: #1B1C1F/);
    expect(html).toMatch(/<a [^>]*style="[^"]*color: #FFFFFF/);
    expect(html).toContain('width="600"');
  });
});
