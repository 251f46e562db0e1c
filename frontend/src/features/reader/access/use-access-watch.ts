import { useEffect } from 'react';
import { ApiError } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';

/** Between two tries to be told again, in milliseconds: longer each time. */
const RECONNECT_DELAYS = [2000, 5000, 15_000, 60_000];

/**
 * Is told by the server when a file is not the reader's any more, while somebody looks at it. Reading does not depend on it:
 * a stream that breaks is asked for again, and each page is judged by itself.
 * @param fileId null while it is not known to be there
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
    // Ten more are looked at: this one is told again when it is looked at again.
    source.addEventListener('replaced', () => this.close());
    // One that breaks opens itself again; one that is refused does not.
    source.onerror = () => source.readyState === EventSource.CLOSED && void this.handleRejectedStream(source);
  }

  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** Why it was refused: the stream itself does not tell. */
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
