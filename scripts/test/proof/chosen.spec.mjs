import { chosenBy } from '../../lib/proof/chosen.mjs';

describe('Arguments of npm test', () => {
  it('select everything when there are none', () => expect(chosenBy([])).toBeNull());

  it('select suites and end-to-end tests with the word in their path', () => {
    const chosen = chosenBy(['selection']);
    expect(chosen.journeys).toEqual(['frontend/e2e/files/selection.journey.ts']);
    expect(chosen.suites.every((path) => path.includes('selection'))).toBe(true);
    expect(chosen.changed).toBeNull();
  });

  it('select only suites when Jest flags follow', () => {
    expect(chosenBy(['mirror', '-t', 'holds'])).toMatchObject({ journeys: [], flags: ['-t', 'holds'] });
  });

  it('fail with similar names when nothing matches', () => {
    expect(() => chosenBy(['mirorrs'])).toThrow(/no suite and no journey has "mirorrs" in its path\. Near: .*mirror/);
  });
});
