import { frontLimit } from './front-limit';

afterEach(() => frontLimit.reset());

describe('what a proxy in front accepts', () => {
  it('is unlimited until something is refused, and then the next smaller piece', () => {
    expect(frontLimit.piece).toBe(Infinity);
    expect(frontLimit.refuse(3 * 2 ** 20)).toBe(true);
    expect(frontLimit.piece).toBe(2 ** 20);
    frontLimit.refuse(50 * 2 ** 20);
    expect(frontLimit.piece).toBe(2 ** 20);
    frontLimit.refuse(2 ** 20);
    expect(frontLimit.piece).toBe(2 ** 18);
  });

  it('ends with the smallest piece, below which nothing is tried', () => {
    expect(frontLimit.refuse(2 ** 16)).toBe(false);
    expect(frontLimit.piece).toBe(2 ** 16);
  });
});
