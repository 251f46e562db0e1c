import { proxyBodyLimit } from './proxy-body-limit';

afterEach(() => proxyBodyLimit.reset());

describe('what a proxy in front accepts', () => {
  it('is unlimited until something is refused, and then the next smaller piece', () => {
    expect(proxyBodyLimit.chunkSize).toBe(Infinity);
    expect(proxyBodyLimit.recordRejection(3 * 2 ** 20)).toBe(true);
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 20);
    proxyBodyLimit.recordRejection(50 * 2 ** 20);
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 20);
    proxyBodyLimit.recordRejection(2 ** 20);
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 18);
  });

  it('ends with the smallest piece, below which nothing is tried', () => {
    expect(proxyBodyLimit.recordRejection(2 ** 16)).toBe(false);
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 16);
  });
});
