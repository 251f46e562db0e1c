/** If the page hasn't been left after this many milliseconds, navigation is taken as failed. */
const NAVIGATION_TIMEOUT = 15_000;

/** Full navigations to other sites; an object so that tests can replace it. */
export const externalNavigation = {
  navigate: (url: string): void => window.location.assign(url),
  /** Resolves when the page is shown again, after going back, or when navigation has evidently failed. */
  waitUntilLeft: (): Promise<void> =>
    new Promise((resolve) => {
      window.addEventListener('pageshow', () => resolve(), { once: true });
      setTimeout(resolve, NAVIGATION_TIMEOUT);
    }),
  /**
   * Opens a tab now, while the browser still counts the click, for a URL that arrives later.
   * @returns functions that send the tab to its URL, or close it
   */
  openTab(): { navigate: (url: string) => void; close: () => void } {
    const tab = window.open('', '_blank');
    if (!tab) return { navigate: externalNavigation.navigate, close: () => undefined };
    tab.opener = null;
    return { navigate: (url) => tab.location.replace(url), close: () => tab.close() };
  },
};
