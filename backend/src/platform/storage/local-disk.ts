import { mkdir, open } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import { storageErrors } from './storage.errors.js';

const logger = new Logger('Storage');

/** Runs an operation on the disk; its fault goes to the log and becomes ours to answer. */
export async function withStorageErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof AppError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    logger.error({ err: error }, 'The folder of the files failed');
    throw storageErrors.STORAGE_UNAVAILABLE();
  }
}

/** What an operation gives, or null when what it works on is not there. */
export async function nullIfMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** What an operation gives, or null when what it makes is there already. */
export async function nullIfExists<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}

/** Makes a folder for us alone, and none above it. */
export async function ensureFolder(folder: string): Promise<void> {
  await nullIfExists(mkdir(folder, { mode: 0o700 }));
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
