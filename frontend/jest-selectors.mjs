import { createRequire } from 'node:module';

/**
 * Makes `getComputedStyle` of jsdom quick, without a change of what it says. jsdom asks of every element whether every rule
 * of every sheet matches it, and the roles and names that suites look for ask that of hundreds of elements: two fifths of
 * their time. Nearly all rules are of a class that the element lacks, or of the root that it is not, which is seen at
 * once. Must be loaded before jsdom's environment, which keeps what it finds here.
 */
const require = createRequire(import.meta.url);
const selectors = require('jsdom/lib/jsdom/living/helpers/selectors.js');

const { matchesDontThrow } = selectors;
const needed = new Map();

selectors.matchesDontThrow = (element, selector) => {
  let need = needed.get(selector);
  if (need === undefined) needed.set(selector, (need = whatIsNeeded(selector)));
  if (need?.root && element !== element._ownerDocument.documentElement) return false;
  if (need?.class && !element.classList.contains(need.class)) return false;
  return matchesDontThrow(element, selector);
};

/** What an element must be or have for a selector to match it: `{ root }`, `{ class }`, or null where that is not plain. */
export function whatIsNeeded(selector) {
  // Rules that name no elements (fonts, keyframes) have none.
  const plain = typeof selector === 'string' ? withoutBrackets(selector) : null;
  if (plain === null || /[,\\"']/.test(plain)) return null;
  const last = plain
    .trim()
    .split(/[\s>+~]+/)
    .at(-1);
  if (/^:root(?![\w-])/.test(last)) return { root: true };
  const [, name] = /\.(-?[_a-zA-Z][\w-]*)/.exec(last) ?? [];
  return name ? { class: name } : null;
}

/** The selector without what stands in brackets, which may hold lists and combinators; null where they do not close. */
function withoutBrackets(selector) {
  let depth = 0;
  let plain = '';
  for (const letter of selector) {
    if (letter === '(' || letter === '[') depth += 1;
    else if (letter === ')' || letter === ']') depth -= 1;
    else if (depth === 0) plain += letter;
    if (depth < 0) return null;
  }
  return depth === 0 ? plain : null;
}
