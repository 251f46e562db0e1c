import { isSendersTrouble } from './campaign-counts.js';

describe('a campaign that the mail servers refuse for the sender’s reason', () => {
  it.each([
    [10, 10, false],
    [11, 11, true],
    [50, 10, false],
    [50, 11, true],
    [100, 20, false],
    [100, 21, true],
    [250, 50, false],
    [250, 51, true],
    [1000, 50, false],
    [1000, 51, true],
    [4000, 200, false],
    [4000, 201, true],
  ])('of %i mails %i refused: pauses %s', (tried, senderFaults, pauses) => {
    expect(isSendersTrouble({ tried, senderFaults })).toBe(pauses);
  });
});
