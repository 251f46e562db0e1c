import juice from 'juice';
import type { Language, LocalizedText } from '../../../platform/errors/app-error.js';
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

/** The content of a campaign and values shared by all recipients. */
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

/** A compiled campaign that can be rendered for each recipient. */
export interface CompiledEmail {
  readonly subject: Template;
  readonly html: Template;
  readonly text: Template;
  /** Trackable URLs by index. */
  readonly links: readonly string[];
}

/** Custom element that never occurs in content, because sanitising removes unknown elements. */
const WRAPPER_TAG = 'zonary-mail';

const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/gi;

const HREF = /(<a\b[^>]*?\shref=")([^"]*)(")/gi;

/** Compiles the parts of an email once, so that each recipient only costs string concatenation. */
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

/** Compiles the subject; the zone name is stripped of anything that looks like a URL. */
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
 * Inlines style rules into the elements that they match. The content is wrapped in a single element: with many roots,
 * the matching compares each root with all others, which takes seconds for ten thousand paragraphs.
 */
function inlineStyles(html: string, css: string): string {
  const styled = juice.inlineContent(`<${WRAPPER_TAG}>${html}</${WRAPPER_TAG}>`, css, { inlinePseudoElements: false });
  return styled.replace(/^<[^>]*>/, '').slice(0, -`</${WRAPPER_TAG}>`.length);
}

interface LinkContext {
  readonly source: EmailSource;
  readonly slots: PlaceholderMap;
  /** URLs with their indexes. A map, because an email may contain ten thousand. */
  readonly links: Map<string, number>;
  readonly fill: (text: string, form: ValueEncoding) => string;
  readonly form: 'html' | 'text';
}

/** Returns the replacement of a URL: the mark of a tracked link, or the URL itself. */
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

/** Values of the text part are HTML-escaped until the HTML is converted to text; marks pass through unchanged. */
function escapeForText(html: string, fill: (text: string, form: ValueEncoding) => string): string {
  return html.replace(/\{\{[^{}]*\}\}/g, (field) => escapeHtml(fill(unescapeHtml(field), 'text')));
}

/** Returns the value of a field that is the same for all recipients; null for other fields. */
function constantField(source: EmailSource, field: MergeField): string | null {
  switch (field) {
    case 'zone_name':
      return toSingleLine(source.zoneName);
    case 'zone_url':
      return source.zoneUrl;
    case 'sender_name':
      return toSingleLine(source.senderName);
    case 'subject':
      return toSingleLine(replaceMergeFields(source.subject, (match) => match.fallback));
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

/** Returns the content's style sheets in order. */
export function extractStyles(html: string): string {
  return [...html.matchAll(STYLE)].map(([, css]) => css!).join('\n');
}

export const removeStyles = (html: string): string => html.replace(STYLE, '');

/**
 * Returns rules that can't be inlined, such as media queries for email clients on phones. They are scoped to `within`,
 * so that they can't hide the unsubscribe link.
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

/** Scopes the selectors of a rule to `within`; returns nothing for anything but a plain rule. */
function scopeRule(rule: string, within: string): string[] {
  const [selectors = '', declarations, ...more] = rule.split('{');
  const list = selectors
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .split(',')
    .map((selector) => selector.trim());
  if (declarations === undefined || more.length > 0 || list.some((selector) => !selector || /^[>+~@]/.test(selector)))
    return [];
  return [`${list.map((selector) => `${within} ${selector}`).join(',')}{${declarations.trim()}}`];
}

const footerReason: LocalizedText = {
  en: 'You get this email as a member of “{zone}”.',
  tr: '“{zone}” bölgesinin üyesi olduğunuz için bu e-postayı alıyorsunuz.',
};
const unsubscribeLabel: LocalizedText = {
  en: 'Leave the zone to stop these emails',
  tr: 'Bu e-postaları almamak için bölgeden ayrılın',
};

/** Values of the layout around the owner's content. Texts are plain; `unsubscribeUrl` and `pixel` are marks. */
interface LayoutContent {
  readonly language: Language;
  readonly subject: string;
  readonly zoneName: string;
  readonly postalAddress: string | null;
  readonly unsubscribeUrl: string;
}

/** Class of the element that contains the owner's content. */
const BODY_CLASS = 'mail-body';

const FONT_STYLE = "font-family:'Inter Variable',Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Renders the layout of campaign emails, 600 px wide, with the unsubscribe link and the postal address below. */
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

/** Renders the footer of the text part. */
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
