/** Full navigations to pages of others; an object, so that tests can stand in its way. */
export const leaveFor = {
  page: (url: string): void => window.location.assign(url),
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
