import { foldCase } from '../../shared/format/case-folding';
import { extensionOf, preservedExtensionOf } from './entries';

describe('names of files', () => {
  it('are compared without regard to case, and the four letters i are one', () => {
    const keys = ['ISI.pdf', 'ısı.pdf', 'isi.PDF', 'İSİ.pdf', ' Isı.pdf '].map(foldCase);
    expect(new Set(keys).size).toBe(1);
    expect(foldCase('a.pdf')).not.toBe(foldCase('b.pdf'));
  });

  it('are compared whichever way their letters are put together', () => {
    expect(foldCase('Çizim.png')).toBe(foldCase('C\u0327izim.png'));
  });

  it('have the extension from the last dot on, if there is one', () => {
    expect(['a.tar.gz', '.hidden', 'none', 'end.', 'a.PDF'].map(extensionOf)).toEqual(['.gz', '', '', '', '.PDF']);
  });

  it('keep .tar.gz and its like whole when they are renamed', () => {
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
