import juice from 'juice';
import type { Language, Sentence } from '../../../platform/errors/app-error.js';
import { removeUrls } from '../../../platform/text/plain-name.js';
import {
  escapeHtml,
  encodeValue,
  toSingleLine,
  replaceMergeFields,
  PlaceholderMap,
  removeMarks,
  type ValueEncoding,
  type MergeField,
  type Template,
} from '../shared/merge-fields.js';
import { toPlainText } from '../shared/plain-text.js';

/** What a campaign says, and what is the same for all its recipients. */
export interface EmailSource {
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
export interface CompiledEmail {
  readonly subject: Template;
  readonly html: Template;
  readonly text: Template;
  /** Addresses whose clicks can be counted, by their place. */
  readonly links: readonly string[];
}

/** An element that is in nobody's text: those of unknown names are taken out. */
const WRAPPER_TAG = 'zonary-mail';

const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/gi;

const HREF = /(<a\b[^>]*?\shref=")([^"]*)(")/gi;

/** Makes the parts of a mail once, so that a recipient costs only the joining. */
export function compileEmail(source: EmailSource): CompiledEmail {
  const placeholderMap = new PlaceholderMap();
  const links = new Map<string, number>();
  const mark = (field: MergeField, fallback: string, form: ValueEncoding) =>
    placeholderMap.insertMark({ kind: 'field', field, fallback, form });
  const fill = (text: string, form: ValueEncoding) =>
    replaceMergeFields(text, ({ field, fallback }) => {
      const known = constantField(source, field);
      return known === null ? mark(field, fallback, form) : encodeValue(removeMarks(known), form);
    });
  const subject = placeholderMap.split(compileSubject(source, mark));
  const subjectHtml = fill(escapeHtml(removeMarks(source.subject)), 'html');

  const styles = extractStyles(source.html);
  const written = removeStyles(source.html);
  const styled = styles ? inlineStyles(written, styles) : written;
  const linked = (form: 'html' | 'text') =>
    styled.replace(HREF, (_, before: string, href: string, end: string) => {
      const address = toLinkPlaceholder(unescapeHtml(href), { source, slots: placeholderMap, links, fill, form });
      return before + address + end;
    });
  const frame = {
    language: source.language,
    subject: subjectHtml,
    zoneName: removeMarks(source.zoneName),
    postalAddress: source.postalAddress === null ? null : removeMarks(source.postalAddress),
  };
  const html = renderHtmlLayout({
    ...frame,
    styles: extractMediaRules(styles, `.${BODY_CLASS}`),
    body: fill(linked('html'), 'html'),
    unsubscribeUrl: mark('unsubscribe_url', '', 'html'),
    pixel: placeholderMap.insertMark({ kind: 'pixel' }),
  });
  const body =
    source.text === null ? toPlainText(escapeForText(linked('text'), fill)) : fill(removeMarks(source.text), 'text');
  const text = renderTextFooter({ ...frame, body, unsubscribeUrl: mark('unsubscribe_url', '', 'text') });
  return { subject, html: placeholderMap.split(html), text: placeholderMap.split(text), links: [...links.keys()] };
}

/** The subject with its marks; the name of the zone stands in it without what would be an address there. */
function compileSubject(
  source: EmailSource,
  mark: (field: MergeField, fallback: string, form: ValueEncoding) => string,
): string {
  return replaceMergeFields(removeMarks(source.subject), ({ field, fallback }) => {
    const known = constantField(source, field);
    if (known === null) return mark(field, fallback, 'text');
    return removeMarks(field === 'zone_name' ? removeUrls(known) || fallback : known);
  });
}

/**
 * Writes the rules of style sheets into the elements that they fit. For that the text stands in one element: a search
 * that begins at many compares each with all the others, which takes seconds for ten thousand paragraphs.
 */
function inlineStyles(html: string, css: string): string {
  const styled = juice.inlineContent(`<${WRAPPER_TAG}>${html}</${WRAPPER_TAG}>`, css, { inlinePseudoElements: false });
  return styled.replace(/^<[^>]*>/, '').slice(0, -`</${WRAPPER_TAG}>`.length);
}

interface LinkContext {
  readonly source: EmailSource;
  readonly slots: PlaceholderMap;
  /** Addresses with their places. A map, because a mail may hold ten thousand. */
  readonly links: Map<string, number>;
  readonly fill: (text: string, form: ValueEncoding) => string;
  readonly form: 'html' | 'text';
}

/** What stands at the place of an address: the mark of a counted link, or the address itself. */
function toLinkPlaceholder(href: string, { source, slots, links, fill, form }: LinkContext): string {
  const address = replaceMergeFields(href, ({ field, fallback }) => {
    const known = constantField(source, field);
    if (known === null) return `{{${field}|${fallback}}}`;
    return field === 'zone_url' ? known : encodeURIComponent(known);
  });
  if (/^\{\{unsubscribe_url\|\}\}$/.test(address)) {
    return slots.insertMark({ kind: 'field', field: 'unsubscribe_url', fallback: '', form });
  }
  if (!/^https?:\/\//i.test(address) || address.includes('{{')) return fill(escapeHtml(address), 'url');
  if (!URL.canParse(address)) return escapeHtml(address);
  const index = links.get(address) ?? links.size;
  links.set(address, index);
  return slots.insertMark({ kind: 'link', index, form });
}

/** A value in the text part stands in HTML until that is made into text; marks pass through as they are. */
function escapeForText(html: string, fill: (text: string, form: ValueEncoding) => string): string {
  return html.replace(/\{\{[^{}]*\}\}/g, (piece) => escapeHtml(fill(unescapeHtml(piece), 'text')));
}

/** The value of a field that is the same for all recipients; null for the others. */
function constantField(source: EmailSource, field: MergeField): string | null {
  switch (field) {
    case 'zone_name':
      return toSingleLine(source.zoneName);
    case 'zone_url':
      return source.zoneUrl;
    case 'sender_name':
      return toSingleLine(source.senderName);
    case 'subject':
      return toSingleLine(replaceMergeFields(source.subject, (piece) => piece.fallback));
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
export function extractStyles(html: string): string {
  return [...html.matchAll(STYLE)].map(([, css]) => css!).join('\n');
}

/** A text without its style sheets. */
export const removeStyles = (html: string): string => html.replace(STYLE, '');

/**
 * Rules that cannot stand at an element: what mail programs on phones read. They hold for what stands inside `within`
 * alone, so that nobody hides the way out of a zone with them.
 * @param within a selector
 */
export function extractMediaRules(css: string, within: string): string {
  const rules: string[] = [];
  for (let at = css.indexOf('@media'); at >= 0; at = css.indexOf('@media', at)) {
    const begin = css.indexOf('{', at);
    const end = begin < 0 ? -1 : findBlockEnd(css, begin);
    if (end < 0) break;
    const condition = css.slice(at, begin).trim();
    const inner = css
      .slice(begin + 1, end)
      .split('}')
      .flatMap((rule) => scopeRule(rule, within));
    if (inner.length > 0) rules.push(`${condition}{${inner.join('')}}`);
    at = end;
  }
  return rules.join('\n');
}

function findBlockEnd(css: string, begin: number): number {
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
function scopeRule(rule: string, within: string): string[] {
  const [selectors = '', declarations, ...more] = rule.split('{');
  const list = selectors
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .split(',')
    .map((one) => one.trim());
  if (declarations === undefined || more.length > 0 || list.some((one) => !one || /^[>+~@]/.test(one))) return [];
  return [`${list.map((one) => `${within} ${one}`).join(',')}{${declarations.trim()}}`];
}

const footerReason: Sentence = {
  en: "You receive emails from “{zone}” because you're a member of this zone. To stop receiving them, leave the zone.",
  tr: '“{zone}” bölgesinin üyesi olduğunuz için bu e-postaları alıyorsunuz. E-posta almak istemiyorsanız bölgeden ayrılın.',
};
const unsubscribeLabel: Sentence = { en: 'Leave this zone', tr: 'Bu bölgeden ayrıl' };

/** What stands around an owner's text. Texts are plain; `unsubscribeUrl` and `pixel` are marks. */
interface LayoutContent {
  readonly language: Language;
  readonly subject: string;
  readonly zoneName: string;
  readonly postalAddress: string | null;
  readonly unsubscribeUrl: string;
}

/** Class of the place that an owner's text stands in. */
const BODY_CLASS = 'mail-body';

const FONT_STYLE = "font-family:'Inter Variable',Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The sheet of 600 px that all campaign mails stand on, with the leave link and the postal address below. */
function renderHtmlLayout(content: LayoutContent & { readonly styles: string; readonly body: string; pixel: string }) {
  const { language, subject, zoneName, postalAddress, unsubscribeUrl, styles, body, pixel } = content;
  const address = postalAddress === null ? '' : `<br>${toHtmlLines(postalAddress).map(escapeHtml).join('<br>')}`;
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
<tr><td class="${BODY_CLASS}" bgcolor="#FFFFFF" style="padding:32px;background-color:#FFFFFF;border:1px solid #E6E4DD;border-radius:10px;${FONT_STYLE};font-size:16px;line-height:24px;color:#1B1C1F;text-align:left;word-break:break-word">
${body}
</td></tr>
<tr><td style="padding:16px 32px;${FONT_STYLE};font-size:12px;line-height:18px;color:#5E5F66;text-align:left;word-break:break-word">
${escapeHtml(footerReason[language].replace('{zone}', () => zoneName))}
<a href="${unsubscribeUrl}" style="color:#2545D3">${unsubscribeLabel[language]}</a>${address}
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
function renderTextFooter(content: LayoutContent & { readonly body: string }): string {
  const { language, zoneName, postalAddress, unsubscribeUrl, body } = content;
  const foot = [
    footerReason[language].replace('{zone}', () => zoneName),
    `${unsubscribeLabel[language]}: ${unsubscribeUrl}`,
    ...toHtmlLines(postalAddress ?? ''),
  ];
  return `${body.trim()}\n\n-- \n${foot.join('\n')}\n`;
}

const toHtmlLines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');
