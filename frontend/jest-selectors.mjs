import { createRequire } from 'node:module';

/**
 * Speeds up `getComputedStyle` of jsdom without changing its results. jsdom matches every element against every rule of
 * every style sheet, and queries by role compute the styles of hundreds of elements, which took two fifths of the
 * suites' time. Almost all rules require a tag or classes that the element lacks, or the root element, which is checked
 * first; a rule that requires nothing else needs no matching by jsdom. Must be loaded before jsdom's environment, which
 * keeps the function that it finds here.
 */
const require = createRequire(import.meta.url);
const selectors = require('jsdom/lib/jsdom/living/helpers/selectors.js');

const { matchesDontThrow } = selectors;
const requirements = new Map();

selectors.matchesDontThrow = (element, selector) => {
  let requirement = requirements.get(selector);
  if (requirement === undefined) requirements.set(selector, (requirement = findRequirement(selector)));
  if (requirement === null) return matchesDontThrow(element, selector);
  if (!requirement.alternatives.some((alternative) => isMet(alternative, element))) return false;
  return requirement.isSufficient || matchesDontThrow(element, selector);
};

function isMet({ isRoot, tag, classes }, element) {
  const { localName } = element;
  if (tag && localName !== tag && localName.toLowerCase() !== tag) return false;
  if (isRoot && element !== element._ownerDocument.documentElement) return false;
  return classes.length === 0 || classes.every((name) => element.classList.contains(name));
}

/**
 * Returns what an element needs to match a selector, or null if that isn't simple. It needs one of the `alternatives`:
 * a tag, classes, and being the root element. `isSufficient` is true if it needs nothing else.
 */
export function findRequirement(selector) {
  // Font and keyframe rules have no selector.
  const plain = typeof selector === 'string' ? removeBrackets(selector) : null;
  if (plain === null || /[\\"'|]/.test(plain)) return null;
  const parts = plain.split(',').map((part) => part.trim());
  const alternatives = parts.map(findAlternative);
  if (alternatives.includes(null)) return null;
  const isSufficient = plain === selector && parts.every((part) => /^([a-z][a-z\d]*)?(\.[_a-zA-Z][\w-]*)*$/.test(part));
  return { alternatives, isSufficient };
}

function findAlternative(selector) {
  const last = selector.split(/[\s>+~]+/).at(-1);
  const isRoot = /^:root(?![\w-])/.test(last);
  const tag = /^[a-z][a-z\d-]*/.exec(last)?.[0] ?? null;
  const classes = [...last.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map(([, name]) => name);
  return isRoot || tag || classes.length > 0 ? { isRoot, tag, classes } : null;
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
