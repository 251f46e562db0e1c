/** Makes the window of this test as narrow as a phone's, until mocks are restored. */
export function mockPhone(): void {
  const originalMatchMedia = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...originalMatchMedia(query), matches: /max-width/.test(query) }));
}
