/** The process refuses to start because continuing would do harm. The message tells the operator what to do. */
export class StartupError extends Error {}
