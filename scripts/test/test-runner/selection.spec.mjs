import { selectTests } from '../../lib/test-runner/selection.mjs';

describe('Arguments of npm test', () => {
  it('select everything when there are none', () => expect(selectTests([])).toBeNull());

  it('select suites and end-to-end tests with the word in their path', () => {
    const selection = selectTests(['selection']);
    expect(selection.endToEndTests).toEqual(['frontend/e2e/files/selection.e2e.ts']);
    expect(selection.suites.every((path) => path.includes('selection'))).toBe(true);
    expect(selection.changedFiles).toBeNull();
  });

  it('select only suites when Jest flags follow', () => {
    expect(selectTests(['mirror', '-t', 'holds'])).toMatchObject({ endToEndTests: [], flags: ['-t', 'holds'] });
  });

  it('fail with similar names when nothing matches', () => {
    expect(() => selectTests(['mirorrs'])).toThrow(
      /no suite and no end-to-end test has "mirorrs" in its path\. Similar names: .*mirror/,
    );
  });
});
