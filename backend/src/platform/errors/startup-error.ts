/** Why a process does not start, though it could: going on would do harm. The message is for the person who started it, and says what to do. */
export class StartupError extends Error {}
