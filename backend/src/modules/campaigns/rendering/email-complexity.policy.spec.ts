import { extractMediaRules } from './compile-email.js';
import { findNestingError, findComplexityError } from './email-complexity.policy.js';

describe('Email complexity limits', () => {
  const nested = (depth: number) => '<div>'.repeat(depth) + 'x' + '</div>'.repeat(depth);
  const styled = (rules: number, elements: number) =>
    `<style>${'.a p b{color:red}'.repeat(rules)}</style>${'<p>x</p>'.repeat(elements)}`;

  it('limits nesting but not the number of elements and images', () => {
    expect(findComplexityError(nested(200))).toBeNull();
    expect(findComplexityError(nested(201))?.en).toContain('nested too deeply');
    expect(findComplexityError('<p>x<br /><img src="https://a.test/b.png" /></p>'.repeat(5_000))).toBeNull();
  });

  it('limits the nesting of the source HTML, whose parsing cost is quadratic', () => {
    expect(findNestingError('<i>'.repeat(2_001))?.en).toContain('nested too deeply');
    expect(findNestingError(nested(2_000))).toBeNull();
    const unclosed = '<table><tr><td><p>x<br><img src="a"><li>y'.repeat(1_900) + '<option><TD><P>'.repeat(5_000);
    expect(findNestingError(unclosed)).toBeNull();
    expect(findNestingError('</i>'.repeat(5_000) + nested(2_000))).toBeNull();
  });

  it('limits styles relative to the length of the text', () => {
    expect(findComplexityError(styled(150, 500))).toBeNull();
    expect(findComplexityError(styled(2_000, 4_000))?.en).toContain('too many styles');
    expect(
      findComplexityError(`<style>${'p:nth-child(2){color:red}'.repeat(30)}</style>${'<p>x</p>'.repeat(5_000)}`),
    ).not.toBeNull();
    expect(findComplexityError(styled(0, 20_000))).toBeNull();
    expect(findComplexityError(`<style>${'a{'.repeat(40_000)}</style><p>x</p>`)?.en).toContain('too many styles');
  });

  it('checks any text quickly', () => {
    const texts = [
      '@media '.repeat(60_000),
      `@media x{${'a{'.repeat(150_000)}`,
      '{'.repeat(400_000),
      '@media x{a,'.repeat(30_000),
      `@media x{${'/*a'.repeat(100_000)}{}}`,
      `@media x{${'/*'.repeat(150_000)}*/a{}}`,
    ];
    const began = performance.now();
    for (const css of texts) {
      findComplexityError(`<style>${css}</style><p>x</p>`);
      extractMediaRules(css, '.in');
      findNestingError(css);
    }
    for (const html of ['<'.repeat(400_000), '<a'.repeat(200_000), '<a '.repeat(150_000)]) findNestingError(html);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe('extractMediaRules', () => {
  it('keeps media rules and scopes them to the content', () => {
    const css = 'p{color:red} @media (max-width:600px){ .a, td > b { width:100% } i{color:blue} } u{margin:0}';
    expect(extractMediaRules(css, '.in')).toBe(
      '@media (max-width:600px){.in .a,.in td > b{width:100%}.in i{color:blue}}',
    );
  });

  it.each([
    '@media all{',
    '@media all{a{b:c}',
    '@media',
    '@media x{} p{a:b}',
    '@media x{@media y{a{b:c}}}',
    '@media x{>a{b:c}}',
  ])('drops rules that are malformed or affect more than the content: %s', (css) =>
    expect(extractMediaRules(css, '.in')).toBe(''),
  );
});
