import { useEffect } from 'react';
import { useNavigate } from 'react-router';

/** Leads to `to` after `delayMs`, replacing the present page in the history; null waits. */
export function useDelayedRedirect(to: string | null, delayMs: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (to === null) return;
    const timer = setTimeout(() => void navigate(to, { replace: true }), delayMs);
    return () => clearTimeout(timer);
  }, [to, delayMs, navigate]);
}
