/** A page that has not been left after so many milliseconds stays. */
const STAYS = 15_000;

/** Full navigations to pages of others; an object, so that tests can stand in its way. */
export const leaveFor = {
  page: (url: string): void => window.location.assign(url),
  /** Takes as long as leaving does: until the page is shown again, by going back, or it is clear that nothing happens. */
  away: (): Promise<void> =>
    new Promise((resolve) => {
      window.addEventListener('pageshow', () => resolve(), { once: true });
      setTimeout(resolve, STAYS);
    }),
  /**
   * Opens a tab now, while the click still counts as one, for an address that comes later.
   * @returns what sends it there, or closes it
   */
  newTab(): { go: (url: string) => void; close: () => void } {
    const tab = window.open('', '_blank');
    if (!tab) return { go: leaveFor.page, close: () => undefined };
    tab.opener = null;
    return { go: (url) => tab.location.replace(url), close: () => tab.close() };
  },
};
