import { useEffect, useState } from 'react';
import { createUuid } from '../../../shared/format/uuid';
import type { ReaderSource } from '../source/reader-source';
import { ReadingTimer } from './reading-timer';

/** Milliseconds between two reports. */
const REPORT_INTERVAL = 15_000;
/** The server accepts no more pages in a report, and no longer time of a page. */
const MAX_PAGES = 50;
const MAX_TIME = 300_000;
const ACTIVITY_EVENTS = ['scroll', 'wheel', 'pointermove', 'pointerdown', 'touchmove', 'keydown'];

interface Props {
  report: NonNullable<ReaderSource['reportReading']>;
  fileId: number;
  /** Of the content; a new one needs a new component. */
  version: number;
  /** The current page. */
  page: number;
}

/**
 * Reports which pages of a document are read, and for how long: every 15 seconds, and when the window is hidden or left.
 * Ends when the server no longer records it.
 */
export function ReadingReport({ report, fileId, version, page }: Props) {
  const [timer] = useState(() => new ReadingTimer(page));
  useEffect(() => timer.setPage(page), [timer, page]);
  useEffect(() => {
    let hasEnded = false;
    const send = async () => {
      const times = timer.takeTimes();
      if (hasEnded || times.length === 0) return;
      const entries = times.slice(-MAX_PAGES).map(({ page: read, ms }) => ({ page: read, ms: Math.min(ms, MAX_TIME) }));
      const result = await report(fileId, { batch: createUuid(), version, entries });
      if (result === 'lost') timer.restoreTimes(times);
      if (result === 'ended') hasEnded = true;
    };
    const stop = () => {
      timer.pause();
      void send();
    };
    const handleVisibility = () => (document.visibilityState === 'visible' ? timer.resume() : stop());
    const handleActivity = () => timer.noteActivity();
    handleVisibility();
    const interval = setInterval(() => void send(), REPORT_INTERVAL);
    for (const name of ACTIVITY_EVENTS) addEventListener(name, handleActivity, { passive: true, capture: true });
    document.addEventListener('visibilitychange', handleVisibility);
    addEventListener('pagehide', stop);
    // A page that comes back from the browser's cache is visible without `visibilitychange`.
    addEventListener('pageshow', handleVisibility);
    return () => {
      clearInterval(interval);
      for (const name of ACTIVITY_EVENTS) removeEventListener(name, handleActivity, { capture: true });
      document.removeEventListener('visibilitychange', handleVisibility);
      removeEventListener('pagehide', stop);
      removeEventListener('pageshow', handleVisibility);
      stop();
    };
  }, [timer, report, fileId, version]);
  return null;
}
