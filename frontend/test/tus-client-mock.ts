import { act } from '@testing-library/react';
import type { DetailedError, UploadOptions } from 'tus-js-client';

/** Replaces the library's `Upload`: the test plays the server and the connection. */
export class Upload {
  static instances: Upload[] = [];
  static terminated: string[] = [];
  static reset(): void {
    Upload.instances = [];
    Upload.terminated = [];
  }
  static terminate(url: string): Promise<void> {
    Upload.terminated.push(url);
    return Promise.resolve();
  }

  url: string | null;
  aborted = false;

  constructor(
    readonly file: File,
    readonly options: UploadOptions,
  ) {
    this.url = options.uploadUrl ?? null;
  }

  start(): void {
    Upload.instances.push(this);
  }

  abort(): Promise<void> {
    this.aborted = true;
    return Promise.resolve();
  }

  /** The server has created the upload and returned its URL. */
  simulateUrlAvailable = (url: string) =>
    act(() => {
      this.url = url;
      this.options.onUploadUrlAvailable?.();
    });

  simulateProgress = (sent: number, total: number) => act(() => this.options.onProgress?.(sent, total));

  simulateSuccess = () => act(async () => this.options.onSuccess?.({ lastResponse: {} as never }));

  simulateErrorResponse = (status: number, body: object) =>
    act(async () => {
      const originalResponse = {
        getStatus: () => status,
        getBody: () => JSON.stringify(body),
        getHeader: () => undefined,
      };
      this.options.onError?.({ originalResponse } as unknown as DetailedError);
    });

  simulateConnectionLoss = () =>
    act(async () => this.options.onError?.({ originalResponse: null } as unknown as DetailedError));
}
