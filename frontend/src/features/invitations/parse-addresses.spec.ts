import { parseAddresses } from './parse-addresses';

describe('parseAddresses', () => {
  it('splits at lines, commas, semicolons and tabs and removes duplicates', () => {
    const text = 'a@example.com\nb@example.com, c@example.com;d@example.com\te@example.com\r\nA@example.com,,\n';
    expect(parseAddresses(text).all.map((address) => address.toLowerCase())).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`),
    );
  });

  it('strips the brackets and quotes of address books', () => {
    expect(parseAddresses('<a@example.com>, "b@example.com"').all).toEqual(['a@example.com', 'b@example.com']);
  });

  it('finds addresses next to names and below the header of a pasted column', () => {
    const text =
      'Ad\tE-posta adresi\nAyşe Yılmaz\tayse@example.com\nBob O. (bob@example.com), Carol <carol@example.com>';
    expect(parseAddresses(text)).toEqual({
      all: ['ayse@example.com', 'bob@example.com', 'carol@example.com'],
      invalid: [],
    });
    expect(parseAddresses('Email').invalid).toEqual(['Email']);
  });

  it('reports invalid addresses', () => {
    expect(parseAddresses('ada@example.com bob.example.com x@y @example.com; nobody')).toEqual({
      all: ['ada@example.com', 'bob.example.com', 'x@y', '@example.com', 'nobody'],
      invalid: ['bob.example.com', 'x@y', '@example.com', 'nobody'],
    });
    expect(parseAddresses('  \n , ;')).toEqual({ all: [], invalid: [] });
  });
});
