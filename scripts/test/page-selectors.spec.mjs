import { findRequirement } from '../../frontend/jest-selectors.mjs';

// After the above, like the environment of the page's suites.
const { JSDOM } = await import('jsdom');

const names = ['a', 'b', 'a b', 'MuiBox-root css-1', 'css-1-x'];
const selectors = [
  ...[
    '.a',
    '.b',
    '.a.b',
    '.MuiBox-root.css-1',
    ' .b.a ',
    '.a.a',
    '.a.',
    '.A',
    'p.a',
    '.a .b',
    '.b > .a',
    '.a:hover',
    '.a:not(.b)',
    '.b:not(.a, .css-1)',
    '.a, .css-1',
  ],
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
  ...['p, .b', 'div, p > i', 'p i, .a > i', 'p, [title]', 'p[title], .b', 'i:not(.a), .a.b', 'p:not(.a), html', 'i'],
  ...['p, ', ', p', 'p::before, .a', 'svg|p', '*|p', 'p.a, @wrong(', 'p > , .a', '> p', 'p.a i.a', '.a p', 'html p'],
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

  it('are matched by jsdom only if they require more than tags and classes', () => {
    const none = { isRoot: false, tag: null, classes: [] };
    const [a, p] = [
      { ...none, classes: ['a', 'css-1'] },
      { ...none, tag: 'p' },
    ];
    expect(findRequirement('.a.css-1, p')).toEqual({ alternatives: [a, p], isSufficient: true });
    expect(findRequirement('.b > .a.css-1:hover:not(.b)')).toEqual({ alternatives: [a], isSufficient: false });
    expect(findRequirement('p[title]')).toEqual({ alternatives: [p], isSufficient: false });
    const root = { ...none, isRoot: true };
    expect(findRequirement(':root:not(:has(.b))')).toEqual({ alternatives: [root], isSufficient: false });
    for (const selector of ['.a, *', '[title]', undefined]) expect(findRequirement(selector)).toBeNull();
  });
});
