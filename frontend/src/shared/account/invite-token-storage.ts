import { browserStorage } from '../preferences/browser-storage';

const STORAGE_KEY = 'inviteToken';

/** Token of the invitation that a verified link led to. Kept in this browser until the invitation is opened. */
export const inviteTokenStorage = {
  get: () => browserStorage.get(STORAGE_KEY),
  save: (token: string) => browserStorage.set(STORAGE_KEY, token),
  clear: () => browserStorage.remove(STORAGE_KEY),
};
