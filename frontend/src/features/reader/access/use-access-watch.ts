import { useEffect } from 'react';
import { ApiError } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';

/** Milliseconds between attempts to reopen the stream, increasing. */
const RECONNECT_DELAYS = [2000, 5000, 15_000, 60_000];

/**
 * Watches a file over server-sent events while the tab is visible, and calls back when the reader loses access. The
 * reader works without the stream: a broken stream is reopened, and the server checks access for each page anyway.
 * @param fileId null until the file is known to exist
 */
export function useAccessWatch(fileId: number | null, onAccessLost: () => void): void {
  useEffect(() => {
    if (fileId === null || !('EventSource' in window)) return undefined;
    const watcher = new AccessWatcher(fileId, onAccessLost);
    const handleVisibilityChange = () => (document.visibilityState === 'visible' ? watcher.open() : watcher.close());
    handleVisibilityChange();
    document.addEventListener('visibilitychange', handleVisibilityChange);
    return () => {
      document.removeEventListener('visibilitychange', handleVisibilityChange);
      watcher.close();
    };
  }, [fileId, onAccessLost]);
}

class AccessWatcher {
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private attempts = 0;

  constructor(
    private readonly fileId: number,
    private readonly onAccessLost: () => void,
  ) {}

  open(): void {
    this.close();
    const source = new EventSource(`/api/files/${this.fileId}/watch`);
    this.source = source;
    source.onopen = () => (this.attempts = 0);
    source.addEventListener('gone', () => {
      this.close();
      this.onAccessLost();
    });
    // A session can have ten streams; the server closes the oldest for an eleventh. This one is reopened when the tab
    // becomes visible again.
    source.addEventListener('replaced', () => this.close());
    // The browser reopens broken streams itself, but not rejected ones.
    source.onerror = () => source.readyState === EventSource.CLOSED && void this.handleRejectedStream(source);
  }

  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** Requests the file to find out why the stream was rejected; `EventSource` doesn't expose the status. */
  private async handleRejectedStream(source: EventSource): Promise<void> {
    const status = await api.GET('/api/files/{id}', { params: { path: { id: this.fileId } } }).then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.status : 0),
    );
    if (source !== this.source) return;
    this.close();
    if ([401, 403, 404].includes(status)) return this.onAccessLost();
    this.timer = setTimeout(
      () => this.open(),
      RECONNECT_DELAYS[Math.min(this.attempts++, RECONNECT_DELAYS.length - 1)],
    );
  }
}
