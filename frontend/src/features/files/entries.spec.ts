import { nameKey } from '../../shared/format/name-key';
import { extensionOf } from './entries';

describe('names of files', () => {
  it('are compared without regard to case, and the four letters i are one', () => {
    const keys = ['ISI.pdf', 'ısı.pdf', 'isi.PDF', 'İSİ.pdf', ' Isı.pdf '].map(nameKey);
    expect(new Set(keys).size).toBe(1);
    expect(nameKey('a.pdf')).not.toBe(nameKey('b.pdf'));
  });

  it('are compared whichever way their letters are put together', () => {
    expect(nameKey('Çizim.png')).toBe(nameKey('C\u0327izim.png'));
  });

  it('have the extension from the last dot on, if there is one', () => {
    expect(['a.tar.gz', '.hidden', 'none', 'end.', 'a.PDF'].map(extensionOf)).toEqual(['.gz', '', '', '', '.PDF']);
  });
});
