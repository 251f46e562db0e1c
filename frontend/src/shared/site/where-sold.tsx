import type { ReactNode } from 'react';
import { useSells } from './use-sells';

/** Shows what offers plans, where they are offered. */
export function WhereSold({ children, otherwise = null }: { children: ReactNode; otherwise?: ReactNode }) {
  return useSells() ? children : otherwise;
}
