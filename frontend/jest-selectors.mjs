import { createRequire } from 'node:module';

/**
 * Speeds up `getComputedStyle` of jsdom without changing its results. jsdom matches every element against every rule of
 * every style sheet, and queries by role compute the styles of hundreds of elements, which took two fifths of the
 * suites' time. Almost all rules require a class that the element lacks, or the root element, which is checked first.
 * Must be loaded before jsdom's environment, which keeps the function that it finds here.
 */
const require = createRequire(import.meta.url);
const selectors = require('jsdom/lib/jsdom/living/helpers/selectors.js');

const { matchesDontThrow } = selectors;
const requirements = new Map();

selectors.matchesDontThrow = (element, selector) => {
  let requirement = requirements.get(selector);
  if (requirement === undefined) requirements.set(selector, (requirement = findRequirement(selector)));
  if (requirement?.root && element !== element._ownerDocument.documentElement) return false;
  if (requirement?.class && !element.classList.contains(requirement.class)) return false;
  return matchesDontThrow(element, selector);
};

/** Returns what an element needs for a selector to match it: `{ root }`, `{ class }`, or null if that isn't simple. */
export function findRequirement(selector) {
  // Font and keyframe rules have no selector.
  const plain = typeof selector === 'string' ? removeBrackets(selector) : null;
  if (plain === null || /[,\\"']/.test(plain)) return null;
  const last = plain
    .trim()
    .split(/[\s>+~]+/)
    .at(-1);
  if (/^:root(?![\w-])/.test(last)) return { root: true };
  const [, name] = /\.(-?[_a-zA-Z][\w-]*)/.exec(last) ?? [];
  return name ? { class: name } : null;
}

/** Removes brackets, which may contain lists and combinators; null if they are unbalanced. */
function removeBrackets(selector) {
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
