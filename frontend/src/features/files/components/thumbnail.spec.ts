import { isPhotograph } from './thumbnail';

/** The appearance of thumbnails is tested in `frontend/e2e/files/pictures.journey.ts`. */
describe('of a thumbnail the middle is shown', () => {
  it.each(['image/jpeg', 'image/png', 'image/heic', 'image/webp'])('for %s', (type) => {
    expect(isPhotograph(type)).toBe(true);
  });

  it.each([
    ...['application/pdf', 'text/plain', 'image/svg+xml', 'image/tiff', 'application/msword'],
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ])('and not for %s, of which the top tells most', (type) => {
    expect(isPhotograph(type)).toBe(false);
  });
});
