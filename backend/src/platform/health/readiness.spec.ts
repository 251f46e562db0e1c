import { Readiness } from './readiness.js';

describe('Readiness', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is not lost by a slow start but by a later suspension', () => {
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
