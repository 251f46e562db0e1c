import { useEffect } from 'react';
import { useNavigate } from 'react-router';

/** Redirects to `to` after `delayMs` milliseconds, replacing the history entry; null does nothing. */
export function useDelayedRedirect(to: string | null, delayMs: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (to === null) return;
    const timer = setTimeout(() => void navigate(to, { replace: true }), delayMs);
    return () => clearTimeout(timer);
  }, [to, delayMs, navigate]);
}
