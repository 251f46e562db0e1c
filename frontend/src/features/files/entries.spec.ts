import { foldCase } from '../../shared/format/case-folding';
import { extensionOf, preservedExtensionOf } from './entries';

describe('File names', () => {
  it('are compared case-insensitively, with all variants of the letter i equal', () => {
    const keys = ['ISI.pdf', 'ısı.pdf', 'isi.PDF', 'İSİ.pdf', ' Isı.pdf '].map(foldCase);
    expect(new Set(keys).size).toBe(1);
    expect(foldCase('a.pdf')).not.toBe(foldCase('b.pdf'));
  });

  it('are compared regardless of Unicode normalisation', () => {
    expect(foldCase('Çizim.png')).toBe(foldCase('C\u0327izim.png'));
  });

  it('have their extension after the last dot, if any', () => {
    expect(['a.tar.gz', '.hidden', 'none', 'end.', 'a.PDF'].map(extensionOf)).toEqual(['.gz', '', '', '', '.PDF']);
  });

  it('keep compound extensions such as .tar.gz when renamed', () => {
    expect(['a.tar.gz', 'b.TAR.XZ', '.tar.gz', 'c.pdf', 'tar.gz', 'none'].map(preservedExtensionOf)).toEqual([
      '.tar.gz',
      '.TAR.XZ',
      '.gz',
      '.pdf',
      '.gz',
      '',
    ]);
  });
});
