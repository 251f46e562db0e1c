/** Why a backup was not made or not restored; the message is for the person at the terminal. */
export class BackupError extends Error {}
