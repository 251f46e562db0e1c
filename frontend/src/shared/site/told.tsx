import type { ReactNode } from 'react';
import { useFacts, type Fact } from './facts';

/** Shows what tells of these facts when at least one of them is known. */
export function Told({ of, children }: { of: readonly Fact[]; children: ReactNode }) {
  const facts = useFacts();
  return of.some((fact) => facts[fact] !== null) ? children : null;
}
