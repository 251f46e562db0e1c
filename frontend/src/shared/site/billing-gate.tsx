import type { ReactNode } from 'react';
import { useBillingEnabled } from './use-billing-enabled';

/** Renders its children only where plans are offered. */
export function BillingGate({ children, fallback = null }: { children: ReactNode; fallback?: ReactNode }) {
  return useBillingEnabled() ? children : fallback;
}
