import { compile as compileText } from 'html-to-text';
import juice from 'juice';
import type { Language } from '../../../platform/errors/app-error.js';
import { BODY, frameHtml, frameText } from './mail-frame.js';
import { mediaRules, stylesOf, withoutStyles } from './mail-limits.js';
import { replaceMergeFields, type MergeField } from './merge-fields.js';
import { escapeHtml, oneLine, Slots, type Form, type Template } from './pieces.js';
import { withoutMarkers } from './sanitise-html.js';

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

const toText = compileText({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** An element that is in nobody's text: those of unknown names are taken out. */
const WHOLE = 'zonary-mail';

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
      return known === null ? mark(field, fallback, form) : inForm(known, form);
    });
  const subject = slots.cut(fill(withoutMarkers(source.subject), 'text'));
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
    source.text === null ? toText(fillForText(linked('text'), fill)) : fill(withoutMarkers(source.text), 'text');
  const text = frameText({ ...frame, body, unsubscribeUrl: mark('unsubscribe_url', '', 'text') });
  return { subject, html: slots.cut(html), text: slots.cut(text), links: [...links.keys()] };
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

function inForm(value: string, form: Form): string {
  const clean = withoutMarkers(value);
  if (form === 'html') return escapeHtml(clean);
  return form === 'url' ? encodeURIComponent(clean) : clean;
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#0?39;|&apos;/g, "'")
    .replace(/&amp;/g, '&');
}
