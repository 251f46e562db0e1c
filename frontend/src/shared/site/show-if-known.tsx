import type { ReactNode } from 'react';
import { useSiteFacts, type SiteFact } from './site-facts';

/** Shows what tells of these facts when at least one of them is known. */
export function ShowIfKnown({ anyOf, children }: { anyOf: readonly SiteFact[]; children: ReactNode }) {
  const facts = useSiteFacts();
  return anyOf.some((fact) => facts[fact] !== null) ? children : null;
}
