import { Readiness } from './readiness.js';

describe('readiness', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is not lost by a start that took long, but by a standstill afterwards', () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const readiness = new Readiness();
    now += 60_000;
    readiness.markListening();
    expect(readiness.isReady).toBe(true);
    now += 60_000;
    expect(readiness.isReady).toBe(false);
  });
});
