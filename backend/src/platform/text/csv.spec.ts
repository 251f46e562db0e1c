import { csvLine } from './csv.js';

describe('csvLine', () => {
  it('quotes values with a comma, quote or line break', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain', null, 3, true])).toBe(
      '"a,b","say ""hi""","two\nlines",plain,,3,true\r\n',
    );
  });

  it('writes times in UTC', () => {
    expect(csvLine([new Date('2026-05-01T12:00:00+03:00')])).toBe('2026-05-01T09:00:00.000Z\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '  =1'])('prevents %j from running as a formula', (text) => {
    expect(csvLine([text])).toContain(`'${text}`);
  });
});
