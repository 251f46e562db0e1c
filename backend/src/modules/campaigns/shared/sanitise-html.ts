import sanitizeHtml from 'sanitize-html';
import { removeMarks } from './merge-fields.js';

const ALLOWED_TAGS = [
  ...sanitizeHtml.defaults.allowedTags,
  ...['img', 'style', 'center', 'font', 'strike', 'del', 'ins', 'u', 'big'],
];

/** Style values that could run code or load hidden resources. */
const UNSAFE_STYLE = /url\s*\(|expression\s*\(|javascript:|@import|behaviou?r\s*:|-moz-binding|\\/i;

const MERGE_FIELD = /\{\{\s*([A-Za-z_]+)\s*(?:\|([^{}]*))?\}\}/g;

const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/gi;

/** Allowed link targets. A link with a merge field is checked when it is rendered. */
const LINK = /^(https?:\/\/|mailto:|tel:|sms:|\{\{\s*(zone_url|unsubscribe_url)\s*\}\})/i;

/**
 * Sanitises HTML for emails: no scripts, forms, frames or event handlers, and only web, mail, telephone and SMS links.
 * Relative URLs become absolute, because an email has no base URL; anchors (`#…`) and their targets are kept.
 * @param base public URL of the service
 */
export function sanitiseHtml(html: string, base: string): string {
  const clean = sanitizeHtml(html, {
    allowedTags: ALLOWED_TAGS,
    allowVulnerableTags: true,
    nonTextTags: ['script', 'style', 'title', 'textarea', 'option', 'noscript', 'template', 'svg', 'math'],
    allowedAttributes: {
      '*': ['id', 'style', 'class', 'align', 'valign', 'width', 'height', 'bgcolor', 'dir', 'lang', 'role', 'title'],
      a: ['href', 'name'],
      img: ['src', 'alt', 'border'],
      table: ['cellpadding', 'cellspacing', 'border'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan', 'scope'],
      font: ['color', 'face', 'size'],
      ol: ['start', 'type'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'sms'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    allowProtocolRelative: false,
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: sanitiseStyleAttribute(attribs) }),
      a: (tagName, attribs) => ({
        tagName,
        attribs: sanitiseUrlAttribute(sanitiseStyleAttribute(attribs), 'href', base),
      }),
      img: (tagName, attribs) => ({
        tagName,
        attribs: sanitiseUrlAttribute(sanitiseStyleAttribute(attribs), 'src', base),
      }),
    },
  });
  // Characters written as entities exist only after parsing, so marks are removed here.
  return removeMarks(clean)
    .replace(STYLE, (whole, rules: string) => (UNSAFE_STYLE.test(rules) ? '' : whole))
    .trim();
}

function sanitiseStyleAttribute(attribs: Record<string, string>): Record<string, string> {
  const { style, ...others } = attribs;
  return style === undefined || UNSAFE_STYLE.test(style) ? others : attribs;
}

/** Normalises a URL like browsers do: removes line breaks and tabs, encodes inner spaces as `%20`. */
function normaliseUrl(written: string): string {
  return written
    .replace(/\p{Cc}+/gu, '')
    .replace(MERGE_FIELD, (_, field: string, fallback?: string) =>
      fallback === undefined ? `{{${field}}}` : `{{${field}|${fallback.trim()}}}`,
    )
    .trim()
    .replace(/\s/gu, '%20');
}

function sanitiseUrlAttribute(attribs: Record<string, string>, name: string, base: string): Record<string, string> {
  const { [name]: address = '', ...others } = attribs;
  const trimmed = normaliseUrl(address);
  if (LINK.test(trimmed)) return { ...others, [name]: trimmed };
  if (trimmed.startsWith('#')) return name === 'href' ? { ...others, [name]: trimmed } : others;
  const isRelative = /^(\/(?!\/)|\.{0,2}\/?[^:/?#]*(?:[/?#]|$))/.test(trimmed);
  if (!trimmed || !isRelative || !URL.canParse(trimmed, base)) return others;
  return { ...others, [name]: new URL(trimmed, base).href };
}
