import { stored } from '../preferences/stored';

const name = 'inviteToken';

/** The invitation that a verified link led to; kept in this browser until the invitation itself is opened. */
export const storedInvite = {
  get: () => stored.get(name),
  keep: (token: string) => stored.set(name, token),
  forget: () => stored.remove(name),
};
