import { findMergeFieldError, replaceMergeFields } from './merge-fields.js';

describe('Merge fields', () => {
  it('replaces fields everywhere, with any spacing', () => {
    const put = counting();
    expect(replaceMergeFields('Hi {{first_name}}, {{ FIRST_NAME | dear friend }}!', put.call)).toBe('Hi 1, 2!');
    expect(put.matches).toEqual([
      { field: 'first_name', fallback: '' },
      { field: 'first_name', fallback: 'dear friend' },
    ]);
  });

  it('leaves unknown fields unchanged and reports them', () => {
    expect(replaceMergeFields('{{password}}', () => 'never')).toBe('{{password}}');
    expect(findMergeFieldError('Hi {{password}}')?.en).toContain("There's no personalisation field {{password}}");
    expect(findMergeFieldError('Hi {{password}}')?.tr).toContain('{{password}} diye bir kişiselleştirme alanı yok');
  });

  it.each(['{{first_name', '{{first<b>_name</b>}}', '{{}}', '{{first_name|a{b}}', '{{first_name}} {{'])(
    'reports malformed fields: %s',
    (text) => expect(findMergeFieldError(text)?.en).toContain('is incomplete'),
  );

  it('reports neither valid fields nor other braces', () => {
    for (const text of ['{{zone_name}}', '{{first_name|you & me}}', 'a { b } c', '}}', ''])
      expect(findMergeFieldError(text)).toBeNull();
  });
});

/** Records its arguments and returns the number of the call. */
function counting() {
  const matches: unknown[] = [];
  return { matches, call: (match: unknown) => String(matches.push(match)) };
}
