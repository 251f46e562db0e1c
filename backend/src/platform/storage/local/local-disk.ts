import { mkdir, open } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { AppError } from '../../errors/app-error.js';
import { storageErrors } from '../storage.errors.js';

const logger = new Logger('Storage');

/** Runs a disk operation; its errors are logged and replaced by STORAGE_UNAVAILABLE. */
export async function withStorageErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof AppError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    logger.error({ err: error }, 'The file folder failed');
    throw storageErrors.STORAGE_UNAVAILABLE();
  }
}

/** Resolves to null when the file doesn't exist. */
export async function nullIfMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Resolves to null when the target already exists. */
export async function nullIfExists<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}

/** Creates a folder, but not its parents. */
export async function ensureFolder(folder: string, mode: number): Promise<void> {
  await nullIfExists(mkdir(folder, { mode }));
}

/** Makes changes to a folder's entries survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
