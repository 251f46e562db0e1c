import type { Sentence } from '../../../platform/errors/app-error.js';
import { extractStyles, removeStyles } from './compile-email.js';

/** Elements inside one another. Far above what mail builders nest, far below what the making of a mail can climb. */
const MAX_DEPTH = 200;

/**
 * The same before anything is known to be well-formed. What never closes its elements, as some programs write, goes
 * further than what is seen in the end.
 */
const MAX_UNPARSED_DEPTH = 2000;

/** Comparisons of an element with a part of a selector, about two microseconds each. */
const MAX_SELECTOR_COMPARISONS = 400_000;

/** Letters of all style sheets; reading them costs more than their length. */
const MAX_STYLES_LENGTH = 64 * 1024;

/** A part that looks at the neighbours of an element costs the more, the more elements there are. */
const SIBLING_SELECTOR_COST = 50;

const OPTIONAL_END_TAG =
  /^(p|li|dt|dd|option|t[hdr]|tbody|thead|tfoot|area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

const nestedTooDeeply: Sentence = {
  en: `The HTML is nested too deeply. At most ${MAX_DEPTH} levels are allowed.`,
  tr: `HTML çok derin iç içe geçmiş. En fazla ${MAX_DEPTH} düzeye izin verilir.`,
};

/**
 * What would keep a text from being sanitised in reasonable time: each level costs the more, the more lie around it.
 * Elements that end by themselves (paragraphs, cells, images) count for none.
 * @param html as somebody wrote it
 */
export function findNestingError(html: string): Sentence | null {
  let open = 0;
  for (const [, closes, name] of html.matchAll(/<(\/?)([a-z][^\s<>/]*)/gi)) {
    if (OPTIONAL_END_TAG.test(name!)) continue;
    open = Math.max(0, open + (closes ? -1 : 1));
    if (open > MAX_UNPARSED_DEPTH) return nestedTooDeeply;
  }
  return null;
}

/**
 * What would keep a mail from being made in reasonable time; null when nothing does. Styles are written into each element
 * that they fit, which costs elements times selectors: a small text could hold up the server for minutes.
 * @param html sanitised
 */
export function findComplexityError(html: string): Sentence | null {
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

/** Whether nothing of a sanitised text would be seen: no letter, picture, line or table. */
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
