import { StartupError } from '../../errors/startup-error.js';

/** A move can't begin or go on. The message tells the operator why and what to do. */
export class StorageMoveError extends StartupError {}
