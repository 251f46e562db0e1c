import type { LocalizedText } from '../../../platform/errors/app-error.js';
import { extractStyles, removeStyles } from './compile-email.js';

/** Maximum nesting of elements. Far above what email builders produce, far below what rendering can handle. */
const MAX_DEPTH = 200;

/**
 * Maximum nesting before parsing. Higher, because HTML with unclosed elements, as some programs write it, appears
 * deeper than it is.
 */
const MAX_UNPARSED_DEPTH = 2000;

/** Maximum comparisons of an element with a part of a selector, about two microseconds each. */
const MAX_SELECTOR_COMPARISONS = 400_000;

/** Maximum characters of all style sheets; the cost of parsing them grows faster than their length. */
const MAX_STYLES_LENGTH = 64 * 1024;

/** Selector parts that depend on siblings cost more, the more elements there are. */
const SIBLING_SELECTOR_COST = 50;

const OPTIONAL_END_TAG =
  /^(p|li|dt|dd|option|t[hdr]|tbody|thead|tfoot|area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

const nestedTooDeeply: LocalizedText = {
  en: `The HTML is nested too deeply. At most ${MAX_DEPTH} levels are allowed.`,
  tr: `HTML çok derin iç içe geçmiş. En fazla ${MAX_DEPTH} düzeye izin verilir.`,
};

/**
 * Rejects HTML that would take too long to sanitise, because the cost of each level grows with the nesting. Elements
 * with optional end tags and void elements (paragraphs, cells, images) don't count.
 * @param html unsanitised
 */
export function findNestingError(html: string): LocalizedText | null {
  let open = 0;
  for (const [, closes, name] of html.matchAll(/<(\/?)([a-z][^\s<>/]*)/gi)) {
    if (OPTIONAL_END_TAG.test(name!)) continue;
    open = Math.max(0, open + (closes ? -1 : 1));
    if (open > MAX_UNPARSED_DEPTH) return nestedTooDeeply;
  }
  return null;
}

/**
 * Rejects HTML that would take too long to render; returns null if acceptable. Inlining styles costs elements times
 * selectors, so a small text could block the server for minutes.
 * @param html sanitised
 */
export function findComplexityError(html: string): LocalizedText | null {
  const { elements, depth } = measureDepth(removeStyles(html));
  if (depth > MAX_DEPTH) return nestedTooDeeply;
  const css = extractStyles(html);
  const isShort = css.length <= MAX_STYLES_LENGTH;
  if (isShort && elements * selectorCost(css, elements) <= MAX_SELECTOR_COMPARISONS) return null;
  return {
    en: 'The email has too many styles for its length. Please use fewer style rules.',
    tr: 'E-postada uzunluğuna göre çok fazla stil var. Lütfen daha az stil kuralı kullanın.',
  };
}

/** Whether sanitised content has nothing visible: no text, image, rule or table. */
export const isBlank = (html: string): boolean =>
  removeStyles(html).replace(/<(?!(img|hr|table)\b)[^>]*>|\s/gi, '') === '';

function measureDepth(html: string): { elements: number; depth: number } {
  let elements = 0;
  let open = 0;
  let depth = 0;
  for (const [tag, closes] of html.matchAll(/<(\/?)[a-z][^>]*>/gi)) {
    if (closes) open -= 1;
    else {
      elements += 1;
      if (!tag.endsWith('/>')) open += 1;
      depth = Math.max(depth, open);
    }
  }
  return { elements, depth };
}

function selectorCost(css: string, elements: number): number {
  if (!css) return 0;
  const selectors = css.replace(/\{[^{}]*\}/g, '{');
  const parts = selectors.match(/[\s>+~,{]+/g)?.length ?? 0;
  const neighbours = selectors.match(/[:~]/g)?.length ?? 0;
  return parts + neighbours * Math.ceil(elements / SIBLING_SELECTOR_COST);
}
