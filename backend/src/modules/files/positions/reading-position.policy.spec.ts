import { positionUnitOf } from './reading-position.policy.js';

describe('Unit of a reading position', () => {
  it.each([
    ['application/pdf', 'page'],
    ['application/vnd.oasis.opendocument.text', 'page'],
    ['image/tiff', 'page'],
    ['text/plain', 'page'],
    ['audio/mpeg', 'seconds'],
    ['video/mp4', 'seconds'],
    ['application/zip', null],
    ['text/html', null],
  ])('of %s is %s', (mimeType, unit) => {
    expect(positionUnitOf(mimeType)).toBe(unit);
  });
});
