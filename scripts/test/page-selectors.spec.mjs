import { findRequirement } from '../../frontend/jest-selectors.mjs';

// After the above, like the environment of the page's suites.
const { JSDOM } = await import('jsdom');

const names = ['a', 'b', 'a b', 'MuiBox-root css-1', 'css-1-x'];
const selectors = [
  ...['.a', '.b', '.a.b', 'p.a', '.a .b', '.b > .a', '.a:hover', '.a:not(.b)', '.b:not(.a, .css-1)', '.a, .css-1'],
  ...[':root', ':root:not(:has(.absent))', ':root:has(.a)', ':root .a', ':root:not(:has(.absent)) .css-1', ':root, .b'],
  ...[
    '[class~="b"]',
    '[class~="b"].a',
    ':is(.a, .css-1)',
    ':not(.a)',
    '.a + .b',
    '.a ~ .css-1',
    '*',
    'p',
    'html',
    '.css-1',
  ],
  ...['.a::before', '@wrong(', '.\\61', '.a:nth-child(1 of .a)', 'p:first-child.a', '.a[title="x, .b"]'],
];

/** The shortcut for simple selectors must return jsdom's own results. */
describe('Stylesheet selectors in frontend tests', () => {
  const elements = names.map((name) => `<p class="${name}"><i class="${name}"></i></p>`);
  const { window } = new JSDOM(`<!doctype html><style></style><div class="a">${elements.join('')}</div>`);
  const { document } = window;

  const coloured = () =>
    [...document.querySelectorAll('*')].filter(
      (element) => window.getComputedStyle(element).outlineColor === 'rgb(1, 2, 3)',
    );

  it.each(selectors)('apply the styles of %s to the elements it matches', (selector) => {
    document.querySelector('style').textContent = `${selector} { outline-color: rgb(1, 2, 3) }`;
    const matched = () => {
      try {
        return [...document.querySelectorAll(selector)];
      } catch {
        return [];
      }
    };
    expect(coloured()).toEqual(matched());
  });

  it('are skipped in jsdom when a required class or root is missing', () => {
    expect(findRequirement('.a > .css-1:hover:not(.b)')).toEqual({ class: 'css-1' });
    expect(findRequirement(':root:not(:has(.b))')).toEqual({ root: true });
    expect(findRequirement('.a, .b')).toBeNull();
    expect(findRequirement('.a > p')).toBeNull();
    expect(findRequirement(undefined)).toBeNull();
  });
});
