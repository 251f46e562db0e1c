import type { ReactNode } from 'react';
import { useBillingEnabled } from './use-billing-enabled';

/** Shows what offers plans, where they are offered. */
export function BillingGate({ children, fallback = null }: { children: ReactNode; fallback?: ReactNode }) {
  return useBillingEnabled() ? children : fallback;
}
