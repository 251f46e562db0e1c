import juice from 'juice';
import type { Language, Sentence } from '../../../platform/errors/app-error.js';
import { plainName } from '../../../platform/text/plain-name.js';
import {
  escapeHtml,
  inForm,
  oneLine,
  replaceMergeFields,
  Slots,
  withoutMarkers,
  type Form,
  type MergeField,
  type Template,
} from '../shared/merge-fields.js';
import { toPlainText } from '../shared/plain-text.js';

/** What a campaign says, and what is the same for all its recipients. */
export interface MailSource {
  readonly subject: string;
  /** Sanitised. */
  readonly html: string;
  readonly text: string | null;
  readonly zoneName: string;
  readonly zoneUrl: string;
  readonly senderName: string;
  readonly postalAddress: string | null;
  readonly language: Language;
}

/** A campaign ready to be filled in for one recipient after the other. */
export interface CompiledMail {
  readonly subject: Template;
  readonly html: Template;
  readonly text: Template;
  /** Addresses whose clicks can be counted, by their place. */
  readonly links: readonly string[];
}

/** An element that is in nobody's text: those of unknown names are taken out. */
const WHOLE = 'zonary-mail';

const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/gi;

const HREF = /(<a\b[^>]*?\shref=")([^"]*)(")/gi;

/** Makes the parts of a mail once, so that a recipient costs only the joining. */
export function compileMail(source: MailSource): CompiledMail {
  const slots = new Slots();
  const links = new Map<string, number>();
  const mark = (field: MergeField, fallback: string, form: Form) =>
    slots.mark({ kind: 'field', field, fallback, form });
  const fill = (text: string, form: Form) =>
    replaceMergeFields(text, ({ field, fallback }) => {
      const known = constant(source, field);
      return known === null ? mark(field, fallback, form) : inForm(withoutMarkers(known), form);
    });
  const subject = slots.cut(subjectOf(source, mark));
  const subjectHtml = fill(escapeHtml(withoutMarkers(source.subject)), 'html');

  const styles = stylesOf(source.html);
  const written = withoutStyles(source.html);
  const styled = styles ? withStyles(written, styles) : written;
  const linked = (form: 'html' | 'text') =>
    styled.replace(HREF, (_, before: string, href: string, end: string) => {
      const address = linkSlot(unescapeHtml(href), { source, slots, links, fill, form });
      return before + address + end;
    });
  const frame = {
    language: source.language,
    subject: subjectHtml,
    zoneName: withoutMarkers(source.zoneName),
    postalAddress: source.postalAddress === null ? null : withoutMarkers(source.postalAddress),
  };
  const html = frameHtml({
    ...frame,
    styles: mediaRules(styles, `.${BODY}`),
    body: fill(linked('html'), 'html'),
    unsubscribeUrl: mark('unsubscribe_url', '', 'html'),
    pixel: slots.mark({ kind: 'pixel' }),
  });
  const body =
    source.text === null ? toPlainText(fillForText(linked('text'), fill)) : fill(withoutMarkers(source.text), 'text');
  const text = frameText({ ...frame, body, unsubscribeUrl: mark('unsubscribe_url', '', 'text') });
  return { subject, html: slots.cut(html), text: slots.cut(text), links: [...links.keys()] };
}

/** The subject with its marks; the name of the zone stands in it without what would be an address there. */
function subjectOf(source: MailSource, mark: (field: MergeField, fallback: string, form: Form) => string): string {
  return replaceMergeFields(withoutMarkers(source.subject), ({ field, fallback }) => {
    const known = constant(source, field);
    if (known === null) return mark(field, fallback, 'text');
    return withoutMarkers(field === 'zone_name' ? plainName(known) || fallback : known);
  });
}

/**
 * Writes the rules of style sheets into the elements that they fit. For that the text stands in one element: a search
 * that begins at many compares each with all the others, which takes seconds for ten thousand paragraphs.
 */
function withStyles(html: string, css: string): string {
  const styled = juice.inlineContent(`<${WHOLE}>${html}</${WHOLE}>`, css, { inlinePseudoElements: false });
  return styled.replace(/^<[^>]*>/, '').slice(0, -`</${WHOLE}>`.length);
}

interface LinkContext {
  readonly source: MailSource;
  readonly slots: Slots;
  /** Addresses with their places. A map, because a mail may hold ten thousand. */
  readonly links: Map<string, number>;
  readonly fill: (text: string, form: Form) => string;
  readonly form: 'html' | 'text';
}

/** What stands at the place of an address: the mark of a counted link, or the address itself. */
function linkSlot(href: string, { source, slots, links, fill, form }: LinkContext): string {
  const address = replaceMergeFields(href, ({ field, fallback }) => {
    const known = constant(source, field);
    if (known === null) return `{{${field}|${fallback}}}`;
    return field === 'zone_url' ? known : encodeURIComponent(known);
  });
  if (/^\{\{unsubscribe_url\|\}\}$/.test(address)) {
    return slots.mark({ kind: 'field', field: 'unsubscribe_url', fallback: '', form });
  }
  if (!/^https?:\/\//i.test(address) || address.includes('{{')) return fill(escapeHtml(address), 'url');
  if (!URL.canParse(address)) return escapeHtml(address);
  const index = links.get(address) ?? links.size;
  links.set(address, index);
  return slots.mark({ kind: 'link', index, form });
}

/** A value in the text part stands in HTML until that is made into text; marks pass through as they are. */
function fillForText(html: string, fill: (text: string, form: Form) => string): string {
  return html.replace(/\{\{[^{}]*\}\}/g, (piece) => escapeHtml(fill(unescapeHtml(piece), 'text')));
}

/** The value of a field that is the same for all recipients; null for the others. */
function constant(source: MailSource, field: MergeField): string | null {
  switch (field) {
    case 'zone_name':
      return oneLine(source.zoneName);
    case 'zone_url':
      return source.zoneUrl;
    case 'sender_name':
      return oneLine(source.senderName);
    case 'subject':
      return oneLine(replaceMergeFields(source.subject, (piece) => piece.fallback));
    default:
      return null;
  }
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#0?39;|&apos;/g, "'")
    .replace(/&amp;/g, '&');
}

/** The style sheets of a text, in their order. */
export function stylesOf(html: string): string {
  return [...html.matchAll(STYLE)].map(([, css]) => css!).join('\n');
}

/** A text without its style sheets. */
export const withoutStyles = (html: string): string => html.replace(STYLE, '');

/**
 * Rules that cannot stand at an element: what mail programs on phones read. They hold for what stands inside `within`
 * alone, so that nobody hides the way out of a zone with them.
 * @param within a selector
 */
export function mediaRules(css: string, within: string): string {
  const rules: string[] = [];
  for (let at = css.indexOf('@media'); at >= 0; at = css.indexOf('@media', at)) {
    const begin = css.indexOf('{', at);
    const end = begin < 0 ? -1 : endOfBlock(css, begin);
    if (end < 0) break;
    const condition = css.slice(at, begin).trim();
    const inner = css
      .slice(begin + 1, end)
      .split('}')
      .flatMap((rule) => scoped(rule, within));
    if (inner.length > 0) rules.push(`${condition}{${inner.join('')}}`);
    at = end;
  }
  return rules.join('\n');
}

function endOfBlock(css: string, begin: number): number {
  const brace = /[{}]/g;
  brace.lastIndex = begin;
  let open = 0;
  for (let found = brace.exec(css); found; found = brace.exec(css)) {
    open += found[0] === '{' ? 1 : -1;
    if (open === 0) return found.index;
  }
  return -1;
}

/** One rule with its selectors inside `within`; nothing for what is no plain rule. */
function scoped(rule: string, within: string): string[] {
  const [selectors = '', declarations, ...more] = rule.split('{');
  const list = selectors
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .split(',')
    .map((one) => one.trim());
  if (declarations === undefined || more.length > 0 || list.some((one) => !one || /^[>+~@]/.test(one))) return [];
  return [`${list.map((one) => `${within} ${one}`).join(',')}{${declarations.trim()}}`];
}

const why: Sentence = {
  en: "You receive emails from “{zone}” because you're a member of this zone. To stop receiving them, leave the zone.",
  tr: '“{zone}” bölgesinin üyesi olduğunuz için bu e-postaları alıyorsunuz. E-posta almak istemiyorsanız bölgeden ayrılın.',
};
const leave: Sentence = { en: 'Leave this zone', tr: 'Bu bölgeden ayrıl' };

/** What stands around an owner's text. Texts are plain; `unsubscribeUrl` and `pixel` are marks. */
interface FrameContent {
  readonly language: Language;
  readonly subject: string;
  readonly zoneName: string;
  readonly postalAddress: string | null;
  readonly unsubscribeUrl: string;
}

/** Class of the place that an owner's text stands in. */
const BODY = 'mail-body';

const font = "font-family:'Inter Variable',Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The sheet of 600 px that all campaign mails stand on, with the leave link and the postal address below. */
function frameHtml(content: FrameContent & { readonly styles: string; readonly body: string; pixel: string }) {
  const { language, subject, zoneName, postalAddress, unsubscribeUrl, styles, body, pixel } = content;
  const address = postalAddress === null ? '' : `<br>${lines(postalAddress).map(escapeHtml).join('<br>')}`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
${styles ? `<style>${styles}</style>` : ''}
</head>
<body style="margin:0;padding:0;background-color:#FAFAF7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#FAFAF7">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td class="${BODY}" bgcolor="#FFFFFF" style="padding:32px;background-color:#FFFFFF;border:1px solid #E6E4DD;border-radius:10px;${font};font-size:16px;line-height:24px;color:#1B1C1F;text-align:left;word-break:break-word">
${body}
</td></tr>
<tr><td style="padding:16px 32px;${font};font-size:12px;line-height:18px;color:#5E5F66;text-align:left;word-break:break-word">
${escapeHtml(why[language].replace('{zone}', () => zoneName))}
<a href="${unsubscribeUrl}" style="color:#2545D3">${leave[language]}</a>${address}
</td></tr>
</table>
</td></tr>
</table>
${pixel}
</body>
</html>
`;
}

/** The same below the text part. */
function frameText(content: FrameContent & { readonly body: string }): string {
  const { language, zoneName, postalAddress, unsubscribeUrl, body } = content;
  const foot = [
    why[language].replace('{zone}', () => zoneName),
    `${leave[language]}: ${unsubscribeUrl}`,
    ...lines(postalAddress ?? ''),
  ];
  return `${body.trim()}\n\n-- \n${foot.join('\n')}\n`;
}

const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');
