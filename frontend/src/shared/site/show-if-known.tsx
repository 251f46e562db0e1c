import type { ReactNode } from 'react';
import { useSiteFacts, type SiteFact } from './site-facts';

/** Renders its children if at least one of these facts is known. */
export function ShowIfKnown({ anyOf, children }: { anyOf: readonly SiteFact[]; children: ReactNode }) {
  const facts = useSiteFacts();
  return anyOf.some((fact) => facts[fact] !== null) ? children : null;
}
