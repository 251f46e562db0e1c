/** A page that has not been left after so many milliseconds stays. */
const NAVIGATION_TIMEOUT = 15_000;

/** Full navigations to pages of others; an object, so that tests can stand in its way. */
export const externalNavigation = {
  navigate: (url: string): void => window.location.assign(url),
  /** Takes as long as leaving does: until the page is shown again, by going back, or it is clear that nothing happens. */
  waitUntilLeft: (): Promise<void> =>
    new Promise((resolve) => {
      window.addEventListener('pageshow', () => resolve(), { once: true });
      setTimeout(resolve, NAVIGATION_TIMEOUT);
    }),
  /**
   * Opens a tab now, while the click still counts as one, for an address that comes later.
   * @returns what sends it there, or closes it
   */
  openTab(): { navigate: (url: string) => void; close: () => void } {
    const tab = window.open('', '_blank');
    if (!tab) return { navigate: externalNavigation.navigate, close: () => undefined };
    tab.opener = null;
    return { navigate: (url) => tab.location.replace(url), close: () => tab.close() };
  },
};
