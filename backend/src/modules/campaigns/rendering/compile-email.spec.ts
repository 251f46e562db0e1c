import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileEmail, type EmailSource } from './compile-email.js';
import type { TemplateValues } from '../shared/merge-fields.js';
import { sanitiseHtml } from '../shared/sanitise-html.js';

const source: EmailSource = {
  subject: 'For {{first_name|you}}',
  html: '<p>Hello {{first_name|friend}} of {{zone_name}}</p>',
  text: null,
  zoneName: 'Müzik & More',
  zoneUrl: 'https://z.test/zones/1',
  senderName: 'Ada',
  postalAddress: 'Street 1',
  language: 'en',
};
const filling = (values: Record<string, string> = {}): TemplateValues => ({
  field: (field) => values[field] ?? '',
  link: (index) => `https://z.test/c/${index}`,
  pixel: 'https://z.test/o',
});
const make = (more: Partial<EmailSource>, values?: Record<string, string>) => {
  const { subject, html, text, links } = compileEmail({ ...source, ...more });
  const fill = filling(values);
  return { subject: subject.render(fill), html: html.render(fill), text: text.render(fill), links };
};

function measured(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

describe('Compiled email', () => {
  it('inserts values for each recipient, escaped for their context', () => {
    const { subject, html, text } = make({}, { first_name: '<Zoë> & Co' });
    expect(subject).toBe('For <Zoë> & Co');
    expect(html).toContain('Hello &#60;Zoë&#62; &#38; Co of Müzik &#38; More');
    expect(text).toContain('Hello <Zoë> & Co of Müzik & More');
    expect(make({}).subject).toBe('For you');
    expect(make({}).html).toContain('Hello friend of');
  });

  it('counts each URL once and leaves personalised URLs untracked', () => {
    const html =
      '<a href="https://a.test/?x=1&amp;y=2">1</a><a href="https://b.test">2</a><a href="https://a.test/?x=1&amp;y=2">3</a>' +
      '<a href="https://c.test/?m={{email}}">4</a><a href="mailto:x@y.test">5</a><a href="{{zone_url}}">6</a>';
    const mail = make({ html }, { email: 'a+b@x.test' });
    expect(mail.links).toEqual(['https://a.test/?x=1&y=2', 'https://b.test', 'https://z.test/zones/1']);
    expect([...mail.html.matchAll(/href="https:\/\/z\.test\/c\/(\d)"/g)].map(([, index]) => index)).toEqual([
      '0',
      '1',
      '0',
      '2',
    ]);
    expect(mail.html).toContain('https://c.test/?m=a%2Bb%40x.test');
    expect(mail.html).toContain('mailto:x@y.test');
  });

  it('keeps anchors and their targets and leaves them out of the text part', () => {
    const anchors = readFileSync(join(import.meta.dirname, '../../../../test/support/mails/anchors.html'), 'utf8');
    const mail = make({ html: sanitiseHtml(anchors, 'https://z.test') });
    for (const fragment of ['id="top"', 'href="#fn"', 'href="sms:+15550100"', 'id="fn"']) {
      expect(mail.html).toContain(fragment);
    }
    expect(mail.links).toEqual([]);
    expect(mail.text).toContain('1 text us (sms:+15550100)');
    expect(mail.text).not.toContain('#fn');
  });

  it('compiles ten thousand links quickly, with and without styles', () => {
    const html = Array.from(
      { length: 10_000 },
      (_, index) => `<p><a href="https://a.test/${index}">${index}</a></p>`,
    ).join('');
    make({ html });
    const one = measured(() => expect(make({ html: '<p><a href="https://a.test/0">0</a></p>'.repeat(10_000) })));
    const many = measured(() => expect(make({ html }).links).toHaveLength(10_000));
    expect(many).toBeLessThan(4 * one + 100);
    const styled = measured(() => make({ html: `<style>a{color:red} p{margin:0} b{color:red}</style>${html}` }));
    expect(styled).toBeLessThan(12 * one + 200);
  });

  it('inlines style sheet rules into matching elements only', () => {
    const html = '<style>p{margin:0} p b{color:red}</style>Plain &amp; <p>one <b>two</b></p><b>three</b>';
    const { html: mail } = make({ html });
    expect(mail).toContain('Plain &amp; <p style="margin: 0;">one <b style="color: red;">two</b></p><b>three</b>');
    expect(mail).not.toContain('zonary-mail');
  });

  it("ends with the postal address and unsubscribe link in the recipient's language", () => {
    const values = { unsubscribe_url: 'https://z.test/leave/1' };
    for (const [language, leave] of [
      ['en', 'Leave the zone to stop these emails'],
      ['tr', 'Bu e-postaları almamak için bölgeden ayrılın'],
    ] as const) {
      const { html, text } = make({ language }, values);
      for (const part of [html, text]) {
        expect(part).toContain('Street 1');
        expect(part).toContain('https://z.test/leave/1');
        expect(part).toContain(leave);
      }
    }
    expect(make({ text: 'My own words' }, values).text).toMatch(/^My own words[\s\S]*leave\/1/);
  });
});

describe('Custom HTML', () => {
  const clean = (html: string) => sanitiseHtml(html, 'https://z.test');

  it('contains none of the internal marker characters, however written', () => {
    for (const place of ['\uE0000\uE001', '&#xE000;0&#xE001;', '&#57344;999&#57345;']) {
      const html = clean(`<p title="${place}">Hi${place}</p>`);
      expect(html).not.toMatch(/[\uE000\uE001]/);
      expect(make({ html }).html).toMatch(/Hi(0|999)</);
    }
  });

  it('cannot hide the unsubscribe link by styles', () => {
    const html = clean('<style>a{display:none} @media all{a,td{display:none!important}}</style><p>x</p>');
    const mail = make({ html }, { unsubscribe_url: 'https://z.test/leave/1' }).html;
    expect(mail).toContain('.mail-body a,.mail-body td{display:none!important}');
    expect(mail.slice(mail.lastIndexOf('mail-body'))).toContain('https://z.test/leave/1');
    expect(mail).not.toMatch(/@media all\{a/);
  });

  it.each([
    '<a href="javascript:alert(1)">x</a>',
    '<a href="  java\nscript:alert(1)">x</a>',
    '<a href="JaVaScRiPt&#58;alert(1)">x</a>',
    '<a href="vbscript:x">x</a>',
    '<a href="data:text/html,x">x</a>',
  ])('keeps no dangerous URL: %s', (html) => expect(clean(html)).toBe('<a>x</a>'));

  it('keeps web, mail and phone URLs and makes relative ones absolute', () => {
    for (const href of ['https://a.test/x', 'mailto:a@b.test', 'tel:+90212', 'sms:+90555', '{{zone_url}}', '#fn']) {
      expect(clean(`<a href="${href}">x</a>`)).toBe(`<a href="${href}">x</a>`);
    }
    expect(clean('<a href="/zones/1">x</a>')).toBe('<a href="https://z.test/zones/1">x</a>');
    expect(clean('<a href="//a.test/x">x</a>')).toBe('<a href="https://a.test/x">x</a>');
    expect(clean('<style>p{color:red}</style><p>x</p>')).toBe('<style>p{color:red}</style><p>x</p>');
  });

  it('keeps spaces in URLs and merge fields with fallback text', () => {
    for (const [written, expected] of [
      [
        'mailto:a@b.test?subject=Hello there&amp;body=Two words',
        'mailto:a@b.test?subject=Hello%20there&amp;body=Two%20words',
      ],
      [' https://a.test/my file.pdf\n', 'https://a.test/my%20file.pdf'],
      ['my file.pdf', 'https://z.test/my%20file.pdf'],
      ['ht\ntps://a.test/x', 'https://a.test/x'],
      ['https://a.test/?n={{ first_name | friend }}', 'https://a.test/?n={{first_name|friend}}'],
    ]) {
      expect(clean(`<a href="${written}">x</a>`)).toBe(`<a href="${expected}">x</a>`);
    }
    expect(clean('<a href="java script:alert(1)">x</a>')).toBe('<a>x</a>');
    expect(clean('<a href="ht tps://a.test">x</a>')).toBe('<a>x</a>');
  });

  it('is stripped of scripts, event handlers, forms, frames and styles that fetch', () => {
    const html = clean(
      '<script>a</script><p onclick="b" style="background:url(https://c.test)">Text</p><iframe src="https://d.test"></iframe>' +
        '<form><input></form><svg><script>e</script></svg><style>@import "https://f.test"; p{color:red}</style>',
    );
    expect(html).toContain('<p>Text</p>');
    expect(html).not.toMatch(/script|onclick|url\(|iframe|form|input|svg|import/i);
  });
});
