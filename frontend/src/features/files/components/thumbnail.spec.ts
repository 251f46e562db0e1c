import { isPhotograph } from './thumbnail';

/** The appearance of thumbnails is tested in `frontend/e2e/files/image-documents.e2e.ts`. */
describe('isPhotograph', () => {
  it.each(['image/jpeg', 'image/png', 'image/heic', 'image/webp'])('returns true for %s', (type) => {
    expect(isPhotograph(type)).toBe(true);
  });

  it.each([
    ...['application/pdf', 'text/plain', 'image/svg+xml', 'image/tiff', 'application/msword'],
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ])('returns false for %s', (type) => {
    expect(isPhotograph(type)).toBe(false);
  });
});
