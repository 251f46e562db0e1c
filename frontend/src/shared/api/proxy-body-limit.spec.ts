import { proxyBodyLimit } from './proxy-body-limit';

afterEach(() => proxyBodyLimit.reset());

describe('proxyBodyLimit', () => {
  it('is unlimited until a rejection, then uses the next smaller chunk size', () => {
    expect(proxyBodyLimit.chunkSize).toBe(Infinity);
    expect(proxyBodyLimit.recordRejection(3 * 2 ** 20)).toBe(true);
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 20);
    proxyBodyLimit.recordRejection(50 * 2 ** 20);
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 20);
    proxyBodyLimit.recordRejection(2 ** 20);
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 18);
  });

  it('does not go below the smallest chunk size', () => {
    expect(proxyBodyLimit.recordRejection(2 ** 16)).toBe(false);
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 16);
  });
});
