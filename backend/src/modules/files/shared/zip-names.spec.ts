import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import * as fc from 'fast-check';
import { toSafeName, ZipPaths } from './zip-names.js';

describe('toSafeName', () => {
  it.each([
    ['plain.txt', 'plain.txt'],
    ['ödev (1).pdf', 'ödev (1).pdf'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['..', '__'],
    ['C:\\x', 'C__x'],
    ['a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h'],
    ['CON', '_CON'],
    ['nul.tar.gz', '_nul.tar.gz'],
    ['Com1.txt', '_Com1.txt'],
    ['console.txt', 'console.txt'],
    ['ends with a dot.', 'ends with a dot_'],
    ['ends with a space ', 'ends with a space_'],
    ['', '_'],
    ['e\u0301', 'é'],
    ['a\u202egnp.exe', 'a_gnp.exe'],
    ['a\u0000b', 'a_b'],
  ])('converts %j to %j', (name, expected) => expect(toSafeName(name)).toBe(expected));

  it('always returns a single safe path segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const safe = toSafeName(name);
        expect(safe).not.toMatch(/[\\/:*?"<>|\p{Cc}]|^\.{1,2}$|[. ]$|^$/u);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
        expect(safe).toBe(safe.normalize('NFC'));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('ZipPaths', () => {
  it('returns names unique per folder, ignoring case, across files and folders', () => {
    const paths = new ZipPaths();
    expect(paths.addFolder('', 'Notes')).toBe('Notes/');
    expect(paths.addFile('', 'NOTES')).toBe('NOTES (1)');
    expect(paths.addFolder('', 'a.b')).toBe('a.b/');
    expect(paths.addFolder('', 'A.B')).toBe('A.B (1)/');
    expect(paths.addFile('Notes/', 'ısı.pdf')).toBe('Notes/ısı.pdf');
    expect(paths.addFile('Notes/', 'ISI.pdf')).toBe('Notes/ISI (1).pdf');
    expect(paths.addFile('Notes/', 'a?')).toBe('Notes/a_');
    expect(paths.addFile('Notes/', 'a*')).toBe('Notes/a_ (1)');
  });

  it('returns distinct paths for any names', () => {
    const names = fc.array(fc.constantFrom('a', 'A', 'a (1)', 'a?', 'a*', 'CON', 'con', '.', ' '), { maxLength: 60 });
    fc.assert(
      fc.property(names, (all) => {
        const paths = new ZipPaths();
        const given = all.map((name) => paths.addFile('', name));
        expect(new Set(given.map(normaliseForComparison)).size).toBe(all.length);
      }),
    );
  });
});
