import { readAddresses } from './addresses';

describe('addresses that somebody entered', () => {
  it('are split at lines, commas, semicolons and the tabs of a spreadsheet, each once', () => {
    const text = 'a@example.com\nb@example.com, c@example.com;d@example.com\te@example.com\r\nA@example.com,,\n';
    expect(readAddresses(text).all.map((address) => address.toLowerCase())).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`),
    );
  });

  it('lose the brackets and quotes of address books', () => {
    expect(readAddresses('<a@example.com>, "b@example.com"').all).toEqual(['a@example.com', 'b@example.com']);
  });

  it('that cannot be right are named', () => {
    expect(readAddresses('ada@example.com nobody x@y @example.com')).toEqual({
      all: ['ada@example.com', 'nobody', 'x@y', '@example.com'],
      broken: ['nobody', 'x@y', '@example.com'],
    });
    expect(readAddresses('  \n , ;')).toEqual({ all: [], broken: [] });
  });
});
