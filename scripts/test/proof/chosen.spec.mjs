import { chosenBy } from '../../lib/proof/chosen.mjs';

describe('what npm test is asked for', () => {
  it('is everything without words', () => expect(chosenBy([])).toBeNull());

  it('is what has a word in its path, suites and journeys', () => {
    const chosen = chosenBy(['selection']);
    expect(chosen.journeys).toEqual(['frontend/e2e/files/selection.journey.ts']);
    expect(chosen.suites.every((path) => path.includes('selection'))).toBe(true);
    expect(chosen.changed).toBeNull();
  });

  it('is suites only when flags of Jest follow', () => {
    expect(chosenBy(['mirror', '-t', 'holds'])).toMatchObject({ journeys: [], flags: ['-t', 'holds'] });
  });

  it('is answered with what is near, where there is nothing', () => {
    expect(() => chosenBy(['mirorrs'])).toThrow(/no suite and no journey has "mirorrs" in its path\. Near: .*mirror/);
  });
});
