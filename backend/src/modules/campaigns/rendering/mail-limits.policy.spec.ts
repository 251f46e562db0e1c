import { mediaRules } from '../rendering/compile-mail.js';
import { nestingFault, sizeFault } from './mail-limits.policy.js';

describe('what a mail may cost to make', () => {
  const nested = (depth: number) => '<div>'.repeat(depth) + 'x' + '</div>'.repeat(depth);
  const styled = (rules: number, elements: number) =>
    `<style>${'.a p b{color:red}'.repeat(rules)}</style>${'<p>x</p>'.repeat(elements)}`;

  it('elements inside one another have a limit; elements in a row and images have none', () => {
    expect(sizeFault(nested(200))).toBeNull();
    expect(sizeFault(nested(201))?.en).toContain('nested too deeply');
    expect(sizeFault('<p>x<br /><img src="https://a.test/b.png" /></p>'.repeat(5_000))).toBeNull();
  });

  it('what is written has a limit of its own, for reading it costs the square of its depth', () => {
    expect(nestingFault('<i>'.repeat(2_001))?.en).toContain('nested too deeply');
    expect(nestingFault(nested(2_000))).toBeNull();
    const unclosed = '<table><tr><td><p>x<br><img src="a"><li>y'.repeat(1_900) + '<option><TD><P>'.repeat(5_000);
    expect(nestingFault(unclosed)).toBeNull();
    expect(nestingFault('</i>'.repeat(5_000) + nested(2_000))).toBeNull();
  });

  it('styles have a limit that depends on the length of the text', () => {
    expect(sizeFault(styled(150, 500))).toBeNull();
    expect(sizeFault(styled(2_000, 4_000))?.en).toContain('too many styles');
    expect(
      sizeFault(`<style>${'p:nth-child(2){color:red}'.repeat(30)}</style>${'<p>x</p>'.repeat(5_000)}`),
    ).not.toBeNull();
    expect(sizeFault(styled(0, 20_000))).toBeNull();
    expect(sizeFault(`<style>${'a{'.repeat(40_000)}</style><p>x</p>`)?.en).toContain('too many styles');
  });

  it('is found out without delay, whatever the text', () => {
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
      sizeFault(`<style>${css}</style><p>x</p>`);
      mediaRules(css, '.in');
      nestingFault(css);
    }
    for (const html of ['<'.repeat(400_000), '<a'.repeat(200_000), '<a '.repeat(150_000)]) nestingFault(html);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe('rules of media', () => {
  it('stay, and hold for the text of the owner alone', () => {
    const css = 'p{color:red} @media (max-width:600px){ .a, td > b { width:100% } i{color:blue} } u{margin:0}';
    expect(mediaRules(css, '.in')).toBe('@media (max-width:600px){.in .a,.in td > b{width:100%}.in i{color:blue}}');
  });

  it.each([
    '@media all{',
    '@media all{a{b:c}',
    '@media',
    '@media x{} p{a:b}',
    '@media x{@media y{a{b:c}}}',
    '@media x{>a{b:c}}',
  ])('that are broken or reach further are left out: %s', (css) => expect(mediaRules(css, '.in')).toBe(''));
});
